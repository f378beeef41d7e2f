// Counts down between events. The server says when it was so many seconds; its clock may differ from ours.

export function tickCountdowns() {
  let ahead_s = null;
  setInterval(() => {
    for (const element of document.querySelectorAll("[data-countdown]")) {
      const { at, left, running } = element.dataset;
      const passed = running === "true" && ahead_s !== null ? Date.now() / 1000 + ahead_s - Number(at) : 0;
      const seconds = Math.max(0, Number(left) - Math.max(0, passed));
      element.querySelector("progress").value = seconds;
      element.querySelector("[data-seconds]").textContent = Math.ceil(seconds);
    }
  }, 250);
  return { set(now) { ahead_s = now - Date.now() / 1000; } };
}
