// Shows <time data-time="MINUTES" datetime="..."> in the browser's own time zone where that is not the program's, from
// which the text is so many minutes ahead of UTC.
export function showTimes(root = document) {
  for (const element of root.querySelectorAll("time[data-time]")) {
    const moment = new Date(element.dateTime);
    const full = element.textContent.length > 9;
    if (-moment.getTimezoneOffset() !== Number(element.dataset.time)) {
      element.textContent = full ? dayAndTime(moment) : moment.toLocaleString(language(), { timeStyle: "medium" });
    }
    delete element.dataset.time;
  }
}

// A moment as the page's language writes it.
export const dayAndTime = (moment) => moment.toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });

// Chromium knows no Icelandic; German writes day, time and decimals as Iceland does: 21.11.2026, 18:43
export function language() {
  const wanted = document.documentElement.lang;
  const asked = wanted === "en" ? "en-GB" : wanted;  // day before month, as everywhere but in one country
  return Intl.DateTimeFormat.supportedLocalesOf(asked).length ? asked : "de";
}
