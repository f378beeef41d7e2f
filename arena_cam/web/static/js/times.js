// Shows <time data-time datetime="..."> in the browser's own time zone.
export function showTimes(root = document) {
  const language = document.documentElement.lang;
  for (const element of root.querySelectorAll("time[data-time]")) {
    const moment = new Date(element.dateTime);
    const full = element.textContent.length > 9;
    element.textContent = moment.toLocaleString(language, full ? { dateStyle: "medium", timeStyle: "short" } : { timeStyle: "medium" });
    delete element.dataset.time;
  }
}
