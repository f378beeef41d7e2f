// A picture as large as the screen: a tap on it, or Enter; wheel, pinch and double tap zoom, a drag moves, Escape leaves.

const MOST = 8;

export function installEnlarge() {
  for (const figure of document.querySelectorAll("[data-enlarge]")) install(figure);
}

function install(figure) {
  const image = figure.querySelector("img");
  const fingers = new Map();
  let scale = 1, x = 0, y = 0, spread = 0, moved = 0;

  const open = () => figure.classList.contains("enlarged");
  function set(on) {
    figure.classList.toggle("enlarged", on);
    document.body.classList.toggle("has-enlarged", on);
    scale = 1; x = y = 0;
    draw();
    if (on) figure.requestFullscreen?.().catch(() => {});  // a telephone may refuse: the picture fills the page all the same
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  }
  function draw() {
    const room = (size) => size * (scale - 1) / 2;
    x = Math.max(-room(innerWidth), Math.min(room(innerWidth), x));
    y = Math.max(-room(innerHeight), Math.min(room(innerHeight), y));
    image.style.transform = open() ? `translate(${x}px, ${y}px) scale(${scale})` : "";
  }
  // The point under the fingers stays under them.
  function zoom(factor, atX, atY) {
    const next = Math.max(1, Math.min(MOST, scale * factor));
    const fromX = atX - innerWidth / 2, fromY = atY - innerHeight / 2;
    x = fromX - (fromX - x) * next / scale;
    y = fromY - (fromY - y) * next / scale;
    scale = next;
    draw();
  }
  const middle = () => [...fingers.values()].reduce(([a, b], [c, d]) => [a + c / fingers.size, b + d / fingers.size], [0, 0]);
  const apart = () => {
    const [[ax, ay], [bx, by]] = [...fingers.values()];
    return Math.hypot(ax - bx, ay - by);
  };
  figure.addEventListener("wheel", (event) => {
    if (!open()) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
  }, { passive: false });
  image.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) moved = 0;
    if (fingers.size === 2) spread = apart();
    if (open()) image.setPointerCapture(event.pointerId);
  });
  image.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from || !open()) return;
    const [beforeX, beforeY] = middle();
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const [nowX, nowY] = middle();
    moved += Math.hypot(nowX - beforeX, nowY - beforeY);
    x += nowX - beforeX; y += nowY - beforeY;
    if (fingers.size === 2) {
      const now = apart();
      zoom(now / spread, nowX, nowY);
      spread = now;
    } else draw();
  });
  for (const end of ["pointerup", "pointercancel"]) image.addEventListener(end, (event) => fingers.delete(event.pointerId));
  image.addEventListener("click", () => { if (!open()) set(true); else if (moved < 8 && scale === 1) set(false); });
  image.addEventListener("dblclick", (event) => { if (open()) zoom(scale > 1 ? 1 / MOST : 3, event.clientX, event.clientY); });
  figure.querySelector("[data-enlarge-toggle]")?.addEventListener("click", () => set(!open()));
  addEventListener("keydown", (event) => { if (event.key === "Escape" && open()) set(false); });
  document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && open()) set(false); });
}
