// A tap on a card in the referee's picture opens that card's correction, also while the picture is as large as the screen.

const STILL_PX = 8;  // a finger that moved farther has drawn the picture aside

export function installCardsOnPicture() {
  for (const figure of document.querySelectorAll("[data-cards-on-picture]")) install(figure);
}

function install(figure) {
  const image = figure.querySelector("img");
  let from = [0, 0];
  image.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  figure.addEventListener("click", (event) => {
    if (event.target !== image || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > STILL_PX) return;
    const row = cardAt(image, event.clientX, event.clientY);
    const form = row?.querySelector("details"), page = row?.querySelector("a[href$='#amend']");
    if (!form && !page) return;
    event.stopPropagation();
    if (figure.classList.contains("enlarged")) figure.querySelector("[data-enlarge-toggle]").click();
    if (!form) { location.assign(page.href); return; }
    form.open = true;
    form.scrollIntoView({ block: "center" });
    form.querySelector("summary").focus({ preventScroll: true });
  }, true);
}

// The topmost card's row at a place of the window, or undefined. Rows stand from the topmost card down.
function cardAt(image, clientX, clientY) {
  const box = image.getBoundingClientRect();
  const fit = getComputedStyle(image).objectFit === "cover" ? Math.max : Math.min;
  return [...document.querySelectorAll("[data-corners]")].find((row) => {
    const [width, height] = JSON.parse(row.dataset.picture), scale = fit(box.width / width, box.height / height);
    const x = (clientX - box.left - (box.width - width * scale) / 2) / scale;
    const y = (clientY - box.top - (box.height - height * scale) / 2) / scale;
    return inside(JSON.parse(row.dataset.corners), x, y);
  });
}

function inside(corners, x, y) {
  let odd = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [ax, ay] = corners[i], [bx, by] = corners[j];
    if ((ay > y) !== (by > y) && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}
