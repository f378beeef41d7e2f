// The scoreboard fills the television; ?kiosk in the address does it at the first touch, and hides the links.

export function installFullScreen() {
  const button = document.querySelector("[data-full-screen]");
  if (!button) return;
  const root = document.documentElement;
  if (!root.requestFullscreen) button.hidden = true;
  const enter = () => root.requestFullscreen?.().catch(() => {});
  button.addEventListener("click", () => document.fullscreenElement ? document.exitFullscreen() : enter());
  if (new URLSearchParams(location.search).has("kiosk")) {
    root.classList.add("kiosk");
    addEventListener("pointerdown", enter, { once: true });
  }
  document.addEventListener("fullscreenchange", () => root.classList.toggle("kiosk", Boolean(document.fullscreenElement)));
}
