// What every page does: live regions, buttons that act, the countdown, the spoken ruling. Text comes with the HTML.
import { follow } from "./live.js";
import { installActions } from "./actions.js";
import { installBoards } from "./boards.js";
import { installCameras } from "./camera.js";
import { installCall, lookWhetherCalled } from "./called.js";
import { installEnlarge } from "./enlarge.js";
import { installSeats } from "./seats.js";
import { tickCountdowns } from "./countdown.js";
import { installPhotos } from "./photo.js";
import { installSpeech } from "./speech.js";
import { showTimes } from "./times.js";

const view = document.body.dataset.view;
installActions();
installBoards();
installCameras();
installEnlarge();
installSeats();
installCall();
installPhotos();
const speech = installSpeech();
const clock = tickCountdowns();
showTimes();
if (view) follow(view, { heard: (now) => clock.set(now), changed: () => { speech.look(); showTimes(); lookWhetherCalled(); } });
