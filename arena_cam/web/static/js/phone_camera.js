// This telephone is the camera: its pictures go to the program one after another, the next when the last has arrived.
import { reach } from "./actions.js";
import { language } from "./times.js";

const LONG_SIDE = 1280, QUALITY = 0.85, EVERY_MS = 200, AGAIN_MS = 1500;
const page = document.querySelector(".phone-camera"), words = JSON.parse(page.dataset.words);
const find = (name) => page.querySelector(`[data-${name}]`);
const video = find("preview"), status = find("camera-status");
let stream = null, lock = null, sent = [];

const send = (bytes, still) => reach("POST", `/api/camera${still ? "?still=1" : ""}`, "image/jpeg", bytes);
const said = (error) => error.status ? error.message : words.waits;

function picture(canvas) {
  const factor = Math.min(1, LONG_SIDE / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * factor);
  canvas.height = Math.round(video.videoHeight * factor);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

async function film() {
  const canvas = document.createElement("canvas");
  for (const mine = stream; stream === mine && mine;) {
    const began = performance.now();
    try {
      if (video.videoWidth) {
        await send(await picture(canvas), false);
        sent = [...sent.filter((at) => began - at < 3000), began];
        status.textContent = words.sends.replace("%(count)s", (sent.length / 3).toLocaleString(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
      }
    } catch (error) {
      status.textContent = said(error);
      await new Promise((resume) => setTimeout(resume, AGAIN_MS));
    }
    await new Promise((resume) => setTimeout(resume, Math.max(0, EVERY_MS - (performance.now() - began))));
  }
}

async function start() {
  try {
    const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: { ideal: "environment" }, ...size }, audio: false });
  } catch (error) {
    status.textContent = error.name === "NotAllowedError" ? words.denied : words.none;
    return;
  }
  video.srcObject = stream;
  await video.play();
  find("start-camera").hidden = true;
  find("stop-camera").hidden = false;
  lock = await navigator.wakeLock?.request("screen").catch(() => null);
  await film();
}

function stop() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = video.srcObject = null;
  lock?.release();
  find("start-camera").hidden = false;
  find("stop-camera").hidden = true;
  status.textContent = "";
}

if (video) {
  const can = window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);
  find("secure").hidden = !can;
  find("insecure").hidden = can;
  find("start-camera").addEventListener("click", start);
  find("stop-camera").addEventListener("click", stop);
  // a telephone lets go of the screen while another page is in front
  document.addEventListener("visibilitychange", async () => {
    if (stream && document.visibilityState === "visible") lock = await navigator.wakeLock?.request("screen").catch(() => null);
  });
  find("still").addEventListener("change", async (event) => {
    const file = event.target.files[0];
    event.target.value = "";
    if (!file) return;
    status.textContent = await send(await file.arrayBuffer(), true).then(() => words.sent, said);
  });
}
