// The scoreboard fills the television; ?kiosk in the address does it at the first touch, and hides the links.

export function installFullScreen() {
  const button = document.querySelector("[data-full-screen]");
  if (!button) return;
  const root = document.documentElement;
  if (!root.requestFullscreen) button.hidden = true;
  const enter = () => root.requestFullscreen?.().catch(atNextTouch);
  // Browsers grant it within seconds of a touch only: a press on a page whose scripts came late is granted at the next.
  function atNextTouch() {
    addEventListener("pointerdown", (event) => { if (!button.contains(event.target)) root.requestFullscreen?.().catch(() => {}); }, { once: true });
  }
  button.addEventListener("click", () => document.fullscreenElement ? document.exitFullscreen() : enter());
  if (new URLSearchParams(location.search).has("kiosk")) {
    root.classList.add("kiosk");
    atNextTouch();
  }
  document.addEventListener("fullscreenchange", () => root.classList.toggle("kiosk", Boolean(document.fullscreenElement)));
}
