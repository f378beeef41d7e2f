// The throw that was judged last, once, in slow motion over the drawing; can be switched off. Its frames are those that
// are kept as evidence.

const SLOWER = 3, LONGEST_STEP_MS = 500, STAYS_MS = 1500;

// `decided`: the throw that was shown as decided when the page came, "" for none.
export function installSlowMotion(decided) {
  const film = document.querySelector("[data-slow-motion-film]"), button = document.querySelector("[data-slow-motion]");
  if (!film || !button) return { look() {} };
  const image = film.querySelector("img");
  let on = localStorage.getItem("slow-motion") !== "off", seen = decided, playing = 0;
  const show = () => button.setAttribute("aria-pressed", on);
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  function look() {
    const now = newest();
    if (now === seen) return;
    seen = now;
    stop();
    if (on && now && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches) play(now);
  }
  function stop() {
    playing += 1;
    film.hidden = true;
  }
  async function play(id) {
    const mine = playing;
    const answer = await fetch(`/api/throws/${encodeURIComponent(id)}`).catch(() => null);
    const frames = answer?.ok ? (await answer.json()).pictures ?? [] : [];
    if (frames.length < 3 || mine !== playing) return;
    const pictures = frames.map((frame) => {
      const picture = new Image();
      picture.src = `/api/throws/${encodeURIComponent(id)}/pictures/${frame.name}`;
      return picture;
    });
    for (let k = 0; k < frames.length; k += 1) {
      await pictures[k].decode().catch(() => {});
      if (mine !== playing) return;
      image.src = pictures[k].src;
      film.hidden = false;
      const gap = k + 1 < frames.length ? (frames[k + 1].time_s - frames[k].time_s) * 1000 * SLOWER : STAYS_MS;
      await wait(Math.min(Math.max(gap, 20), k + 1 < frames.length ? LONGEST_STEP_MS : STAYS_MS));
    }
    if (mine === playing) stop();
  }
  button.addEventListener("click", () => {
    on = !on;
    localStorage.setItem("slow-motion", on ? "on" : "off");
    if (!on) stop();
    show();
  });
  film.addEventListener("click", stop);
  show();
  return { look };
}

function newest() {
  return document.querySelector("[data-decided-throw]")?.dataset.decidedThrow ?? "";
}
