// Points count up to what they are now, so that everybody sees who gained.

const MOST_MS = 900, shown = new Map();

export function countUp() {
  for (const element of document.querySelectorAll("[data-counts]")) {
    const player = element.dataset.counts, now = Number(element.textContent), before = shown.get(player) ?? now;
    shown.set(player, now);
    if (before === now || matchMedia("(prefers-reduced-motion: reduce)").matches) continue;
    element.closest(".player")?.classList.add(now > before ? "gains-now" : "loses-now");
    const began = performance.now();
    const step = (at) => {
      const share = Math.min(1, (at - began) / MOST_MS);
      element.textContent = Math.round(before + (now - before) * share * (2 - share));
      if (share < 1 && element.isConnected) requestAnimationFrame(step);
    };
    element.textContent = before;
    requestAnimationFrame(step);
  }
}
