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
    play.textContent = "❚❚";
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
  let scale = 1, x = 0, y = 0;
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
  // One finger moves the picture, two zoom about their middle.
  const fingers = new Map();
  const middle = () => {
    const box = stage.getBoundingClientRect(), all = [...fingers.values()];
    return [0, 1].map((axis) => all.reduce((sum, at) => sum + at[axis], 0) / all.length - [box.left, box.top][axis]);
  };
  const spread = () => {
    const [[ax, ay], [bx, by]] = [...fingers.values()];
    return Math.hypot(ax - bx, ay - by) || 1;
  };
  stage.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, [event.clientX, event.clientY]); stage.setPointerCapture(event.pointerId); });
  stage.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = middle(), apart = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const now = middle();
    x += now[0] - before[0];
    y += now[1] - before[1];
    place();
    if (apart) zoom(spread() / apart, ...now);
  });
  for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, (event) => fingers.delete(event.pointerId));
  stage.addEventListener("keydown", (event) => {
    const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4) }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  for (const button of root.querySelectorAll("[data-film-zoom]")) button.addEventListener("click", () => zoom(Number(button.dataset.filmZoom)));
  root.querySelector("[data-film-whole]")?.addEventListener("click", () => zoom(1 / scale));
  // The dispute is about one card: the film opens on it, with as much around it.
  const card = root.querySelector(".outline.judged polygon"), image = root.querySelector(".film-frame");
  function focus() {
    if (!card || !stage.clientWidth) return;
    const outline = card.getBoundingClientRect(), box = stage.getBoundingClientRect();
    const wide = Math.max(outline.width / box.width, outline.height / box.height);
    if (!wide) return;
    const at = [outline.left + outline.width / 2 - box.left, outline.top + outline.height / 2 - box.top];
    zoom(Math.min(6, 0.45 / wide), ...at);
    x += stage.clientWidth / 2 - at[0];
    y += stage.clientHeight / 2 - at[1];
    place();
  }
  if (image.complete && image.naturalWidth) focus();
  else image.addEventListener("load", () => requestAnimationFrame(focus), { once: true });
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
