// Keeps the page's regions as the server has them, through lost networks and restarted servers.

const SILENCE_MS = 15000; // three missed heartbeats
const LONGEST_WAIT_MS = 8000;

export function follow(view, { heard, changed }) {
  const notice = document.getElementById("out-of-touch");
  let source = null, wait = 500, timer = null;

  function alive() {
    wait = 500;
    notice.hidden = true;
    clearTimeout(timer);
    timer = setTimeout(again, SILENCE_MS);
  }
  function again() {
    source?.close();
    notice.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    poll();
  }
  function open() {
    source = new EventSource(`/api/stream/${view}`);
    source.addEventListener("regions", (event) => {
      alive();
      const data = JSON.parse(event.data);
      heard(data.now);
      if (show(data.regions)) changed();
    });
    source.addEventListener("alive", alive);
    source.addEventListener("error", again);
    clearTimeout(timer);
    timer = setTimeout(again, SILENCE_MS);
  }
  async function poll() { // the stream may be refused because too many are open: ask once in its place
    const answer = await fetch(`/api/regions/${view}`).catch(() => null);
    if (answer?.ok && show((await answer.json()).regions)) changed();
  }
  whenLetGo(() => { if (show(late())) changed(); });
  addEventListener("online", () => { wait = 500; again(); });
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) again(); });
  const every = Number(document.body.dataset.refreshMs || document.querySelector("[data-refresh-ms]")?.dataset.refreshMs);
  if (every) setInterval(() => { if (!document.hidden) poll(); }, every);
  open();
}

// A button that is replaced, or moved by what stands above it, between press and release is never clicked: the page
// waits until it is let go.
const LONGEST_PRESS_MS = 3000;
let pressed = false, waiting = {};

function whenLetGo(renew) {
  const letGo = () => { pressed = false; renew(); };
  let timer = null;
  addEventListener("pointerdown", () => { pressed = true; clearTimeout(timer); timer = setTimeout(letGo, LONGEST_PRESS_MS); }, true);
  for (const end of ["pointerup", "pointercancel"]) // the click follows at once, and is done first
    addEventListener(end, () => { clearTimeout(timer); timer = setTimeout(letGo); }, true);
}

function late() {
  const regions = waiting;
  waiting = {};
  return regions;
}

export function show(regions) {
  let any = false;
  for (const [name, html] of Object.entries(regions)) {
    const region = document.getElementById(`region-${name}`);
    if (!region) continue;
    if (pressed) { waiting[name] = html; continue; }
    delete waiting[name];
    if (region.dataset.html === html) continue;
    if (!same(region, html)) {
      any = true;
      replace(region, html);
    }
    region.dataset.html = html;
  }
  announceQuestion();
  return any;
}

// A question stands in the title, too, where it is seen from another tab or window.
const TITLE = document.title;
function announceQuestion() {
  const asked = document.querySelector("#region-question h2")?.textContent.trim();
  document.title = asked ? `(?) ${asked}` : TITLE;
}

// The first event repeats what the page came with: replacing it would only take the focus and the pointer's target away.
function same(region, html) {
  if (region.dataset.html !== undefined) return false;
  const fresh = document.createElement("div");
  fresh.innerHTML = html;
  return fresh.innerHTML === region.innerHTML;
}

function replace(region, html) {
  keepHeight(region);
  const before = new Set([...region.querySelectorAll("[data-key]")].map((e) => e.dataset.key));
  const had = region.contains(document.activeElement) ? document.activeElement.id : "";
  const open = new Set([...region.querySelectorAll("details[open][id]")].map((e) => e.id));
  const typed = new Map([...region.querySelectorAll("input[id], select[id], textarea[id]")]
    .filter((e) => e.dataset.keep !== undefined).map((e) => [e.id, e.type === "checkbox" ? e.checked : e.value]));
  const moved = new Map([...region.querySelectorAll("div[id][data-keep]")].map((e) => [e.id, e.scrollLeft]));
  region.innerHTML = html;
  for (const [id, left] of moved) document.getElementById(id)?.scrollTo(left, 0);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const [id, value] of typed) {
    const field = document.getElementById(id);
    if (field) field.type === "checkbox" ? (field.checked = value) : (field.value = value);
  }
  for (const element of region.querySelectorAll("[data-key]"))
    if (!before.has(element.dataset.key)) element.classList.add("is-new");
  if (had) document.getElementById(had)?.focus();
  keepHeight(region);
}

// What stands below must not jump with every step of the game: the region stays as high as it has been.
function keepHeight(region) {
  if (region.dataset.steady === undefined || region.querySelector("details[open]")) return;
  region.style.minHeight = `${Math.ceil(region.getBoundingClientRect().height)}px`;
}
addEventListener("resize", () => { for (const region of document.querySelectorAll("[data-steady]")) region.style.minHeight = ""; });
