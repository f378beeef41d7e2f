// One throw looked at again: the film, zoom and wipe, judging again.
import { ask, say } from "./actions.js";

const film = document.querySelector("[data-film]");
if (film?.querySelector(".film-frame")) installFilm(film, JSON.parse(film.dataset.film));
document.querySelector("[data-judge-again]")?.addEventListener("click", (event) => judgeAgain(event.currentTarget));

function installFilm(root, { base, frames, judged }) {
  const image = root.querySelector(".film-frame"), overlay = root.querySelector(".film-overlay");
  const seek = root.querySelector("[data-film-seek]"), play = root.querySelector("[data-film-play]");
  const slow = root.querySelector("[data-film-slow]"), outline = root.querySelector("[data-film-outline]");
  const all = judged ? [...frames, { name: judged, time_s: Infinity }] : frames;
  const loaded = new Map();
  let place = all.length - 1, timer = null;
  const measure = () => overlay.setAttribute("viewBox", `0 0 ${image.naturalWidth} ${image.naturalHeight}`);
  image.addEventListener("load", measure, { once: true });
  if (image.complete && image.naturalWidth) measure();
  seek.max = all.length - 1;
  seek.value = place;

  function fetchFrame(index) {
    const name = all[index].name;
    if (!loaded.has(name)) {
      const picture = new Image();
      picture.src = base + name;
      loaded.set(name, picture);
    }
    return loaded.get(name);
  }
  function show(index) {
    place = Math.max(0, Math.min(all.length - 1, index));
    image.src = fetchFrame(place).src;
    seek.value = place;
    overlay.classList.toggle("off", !outline.checked || place !== all.length - 1); // measured on the frame judged only
  }
  function stop() {
    clearTimeout(timer);
    timer = null;
    play.textContent = "▶";
    play.setAttribute("aria-pressed", "false");
  }
  async function run() {
    if (place >= all.length - 1) return stop();
    await fetchFrame(place + 1).decode().catch(() => {});
    if (timer === null) return;
    const gap = all[place + 1].time_s - all[place].time_s;
    timer = setTimeout(() => { show(place + 1); run(); },
      (Number.isFinite(gap) ? Math.min(Math.max(gap, 0.02), 1) : 0.3) * 1000 * (slow.checked ? 4 : 1));
  }
  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (place >= all.length - 1) show(0);
    play.textContent = "⏸";
    play.setAttribute("aria-pressed", "true");
    timer = 0;
    run();
  });
  seek.addEventListener("input", () => { stop(); show(Number(seek.value)); });
  outline.addEventListener("change", () => show(place));
  for (const button of root.querySelectorAll("[data-film-step]"))
    button.addEventListener("click", () => { stop(); show(place + Number(button.dataset.filmStep)); });
  installWipe(root, image);
  installZoom(root, (step) => { stop(); show(place + step); });
}

function installWipe(root) {
  const wipe = root.querySelector("[data-film-wipe]"), before = root.querySelector(".film-before");
  wipe?.addEventListener("input", () => {
    if (!before.src) before.src = before.dataset.src;
    before.hidden = wipe.value === "0";
    before.style.clipPath = `inset(0 ${100 - Number(wipe.value)}% 0 0)`;
  });
}

function installZoom(root, step) {
  const stage = root.querySelector(".stage"), inner = root.querySelector(".stage-inner");
  let scale = 1, x = 0, y = 0, held = null;
  function place() {
    x = Math.min(0, Math.max(x, stage.clientWidth * (1 - scale)));
    y = Math.min(0, Math.max(y, stage.clientHeight * (1 - scale)));
    inner.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }
  function zoom(factor, at_x = stage.clientWidth / 2, at_y = stage.clientHeight / 2) {
    const next = Math.min(12, Math.max(1, scale * factor));
    x = at_x - (at_x - x) * (next / scale);
    y = at_y - (at_y - y) * (next / scale);
    scale = next;
    place();
  }
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = stage.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  stage.addEventListener("pointerdown", (event) => { held = [event.clientX - x, event.clientY - y]; stage.setPointerCapture(event.pointerId); });
  stage.addEventListener("pointermove", (event) => { if (held) { x = event.clientX - held[0]; y = event.clientY - held[1]; place(); } });
  for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => { held = null; });
  stage.addEventListener("keydown", (event) => {
    const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4) }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  for (const button of root.querySelectorAll("[data-film-zoom]")) button.addEventListener("click", () => zoom(Number(button.dataset.filmZoom)));
}

async function judgeAgain(button) {
  const out = document.getElementById("judged-again");
  button.disabled = true;
  out.replaceChildren(line("p", button.dataset.wait, "dim"));
  try {
    const answer = await ask("POST", button.dataset.judgeAgain);
    out.replaceChildren(...(answer.same
      ? [line("p", button.dataset.same)]
      : answer.differences.map((d) => line("p", `${d.said}: ${d.said_before} → ${d.said_after}`))));
  } catch (error) {
    out.replaceChildren();
    say(error.message);
  } finally {
    button.disabled = false;
  }
}

function line(tag, content, name = "") {
  const element = document.createElement(tag);
  element.textContent = content;
  element.className = name;
  return element;
}
