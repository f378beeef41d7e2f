// What every page does: live regions, buttons that act, the countdown, the spoken ruling. Text comes with the HTML.
import { follow } from "./live.js";
import { installActions } from "./actions.js";
import { installBoards } from "./boards.js";
import { installCall, lookWhetherCalled } from "./called.js";
import { installSeats } from "./seats.js";
import { tickCountdowns } from "./countdown.js";
import { installPhotos } from "./photo.js";
import { installSpeech } from "./speech.js";
import { showTimes } from "./times.js";

const view = document.body.dataset.view;
document.body.dataset.scripted = "";  // early.js gives back what was pressed before
installActions();
installBoards();
installSeats();
installCall();
installPhotos();
const speech = installSpeech();
// What only some pages have is fetched by them alone: the first page stays light.
const here = (selector) => document.querySelector(selector) !== null;
let television = () => {};
if (here("[data-camera]")) import("./camera.js").then((camera) => camera.installCameras());
if (here("[data-enlarge]")) {
  // What is pressed before its script has come is done when it has.
  let pressed = null;
  const toggles = document.querySelectorAll("[data-enlarge-toggle]"), keep = (event) => { pressed = event.currentTarget; };
  for (const toggle of toggles) toggle.addEventListener("click", keep);
  import("./enlarge.js").then((enlarge) => {
    for (const toggle of toggles) toggle.removeEventListener("click", keep);
    enlarge.installEnlarge();
    pressed?.click();
  });
}
if (here("[data-cards-on-picture]")) import("./cards_on_picture.js").then((cards) => cards.installCardsOnPicture());
if (here("[data-full-screen]")) {
  // What is decided already is told before the film's script has come: a throw that is ruled meanwhile is shown.
  const decided = document.querySelector("[data-decided-throw]")?.dataset.decidedThrow ?? "";
  Promise.all([import("./slowmotion.js"), import("./counting.js"), import("./fullscreen.js")]).then(([film, points, full]) => {
    const slowMotion = film.installSlowMotion(decided);
    full.installFullScreen();
    television = () => { slowMotion.look(); points.countUp(); };
    television();
  });
}
const clock = tickCountdowns();
showTimes();
if (view) follow(view, { heard: (now) => clock.set(now), changed: () => { speech.look(); television(); showTimes(); lookWhetherCalled(); } });
