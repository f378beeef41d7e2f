// What people wrote may be longer than what is printed on any card: it is written smaller until all of it is in view.
const SMALLEST_PX = 9, SMALLER = 0.94;

export function fit() {
  for (const box of document.querySelectorAll("[data-fits]")) {
    box.style.fontSize = "";
    let size = parseFloat(getComputedStyle(box).fontSize);
    while (box.scrollHeight > box.clientHeight + 1 && size > SMALLEST_PX) box.style.fontSize = `${size *= SMALLER}px`;
  }
}
addEventListener("resize", fit);
