// Shows <time data-time="MINUTES" datetime="..."> in the browser's own time zone where that is not the program's, from
// which the text is so many minutes ahead of UTC.
export function showTimes(root = document) {
  const wanted = document.documentElement.lang;
  // Chromium knows no Icelandic; German writes day and time as Iceland does: 21.11.2026, 18:43
  const asked = wanted === "en" ? "en-GB" : wanted;  // day before month, as everywhere but in one country
  const language = Intl.DateTimeFormat.supportedLocalesOf(asked).length ? asked : "de";
  for (const element of root.querySelectorAll("time[data-time]")) {
    const moment = new Date(element.dateTime);
    const full = element.textContent.length > 9;
    if (-moment.getTimezoneOffset() !== Number(element.dataset.time)) {
      element.textContent = moment.toLocaleString(language, full ? { dateStyle: "medium", timeStyle: "short" } : { timeStyle: "medium" });
    }
    delete element.dataset.time;
  }
}
