// What every page does: live regions, buttons that act, the countdown, the spoken ruling. Text comes with the HTML.
import { later } from "./later.js";
import { follow } from "./live.js";
import { installActions } from "./actions.js";
import { installBoards } from "./boards.js";
import { installCall, lookWhetherCalled } from "./called.js";
import { installDrafts, showDraft } from "./drafts.js";
import { installSeats } from "./seats.js";
import { tickCountdowns } from "./countdown.js";
import { installPhotos } from "./photo.js";
import { installSpeech } from "./speech.js";
import { showTapped } from "./steppers.js";
import { showTimes } from "./times.js";

const view = document.body.dataset.view;
document.body.dataset.scripted = "";  // early.js gives back what was pressed before
installActions();
installBoards();
installSeats();
installCall();
installPhotos();
installDrafts();
const speech = installSpeech();
// What only some pages have is fetched by them alone: the first page stays light. What is pressed before is kept.
const own = document.body.dataset.scripts.split(" ").filter(Boolean);  // of this page
if (own.length) keepUntil("main *", Promise.all(own.map(later)));
const here = (selector) => document.querySelector(selector) !== null;
let television = () => {};
if (here("[data-camera]")) keepUntil("[data-camera-toggle]", later("camera.js").then((camera) => camera.installCameras()));
if (here("[data-enlarge]")) {
  const parts = [later("enlarge.js")];
  if (here("[data-cards-on-picture]")) parts.push(later("cards_on_picture.js"));
  keepUntil("[data-enlarge-toggle], [data-enlarge] img", Promise.all(parts).then(([enlarge, cards]) => {
    enlarge.installEnlarge();
    cards?.installCardsOnPicture();
  }));
}
if (here("[data-full-screen]")) {
  // What is decided already is told before the film's script has come: a throw that is ruled meanwhile is shown.
  const decided = document.querySelector("[data-decided-throw]")?.dataset.decidedThrow ?? "";
  keepUntil("[data-full-screen]", later("fullscreen.js").then((full) => full.installFullScreen()));
  keepUntil("[data-slow-motion]", Promise.all([later("slowmotion.js"), later("counting.js"), later("fitting.js")]).then(([film, points, room]) => {
    const slowMotion = film.installSlowMotion(decided);
    television = () => { slowMotion.look(); points.countUp(); room.fit(); };
    television();
  }));
}
const clock = tickCountdowns();
showTimes();
if (view) follow(view, { heard: (now) => clock.set(now), changed: () => { showTapped(); showDraft(); speech.look(); television(); showTimes(); lookWhetherCalled(); } });
