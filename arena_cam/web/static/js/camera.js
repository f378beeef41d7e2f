// The live picture: asks for the next one when the last has arrived, so that a slow viewer skips and never lags.

const SLOWEST_MS = 10000;

export function installCameras() {
  for (const camera of document.querySelectorAll("[data-camera]")) install(camera);
}

function install(camera) {
  const image = camera.querySelector("img");
  const toggle = camera.querySelector("[data-camera-toggle]");
  const usual = Number(camera.dataset.everyMs);
  const remembers = `camera:${location.pathname}`;
  let on = localStorage.getItem(remembers) !== "off", number = -1, pause = usual, shown = null;

  function layers() {
    const boxes = [...document.querySelectorAll("[data-layer]")];
    if (boxes.length) return boxes.filter((b) => b.checked).map((b) => b.dataset.layer).join(",");
    return (camera.classList.contains("enlarged") && camera.dataset.layersLarge) || camera.dataset.layers;
  }
  async function next() {
    if (on && !document.hidden) {
      const answer = await fetch(`/api/live.jpg?after=${number}&layers=${layers()}`).catch(() => null);
      if (answer?.status === 200) {
        number = Number(answer.headers.get("X-Picture"));
        const address = URL.createObjectURL(await answer.blob());
        image.src = address;
        if (shown) URL.revokeObjectURL(shown);
        shown = address;
        pause = usual;
      } else if (answer?.status === 204) {
        number = -1;
        pause = usual;
      } else {
        pause = Math.min(pause * 2, SLOWEST_MS);
      }
    }
    setTimeout(next, pause);
  }
  function set(value) {
    on = value;
    localStorage.setItem(remembers, on ? "on" : "off");
    camera.classList.toggle("off", !on);
    if (toggle) toggle.textContent = on ? toggle.dataset.hide : toggle.dataset.show;
  }
  toggle?.addEventListener("click", () => set(!on));
  set(on);
  if (document.readyState === "complete") next();
  else addEventListener("load", () => next());
}
