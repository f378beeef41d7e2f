// A photograph is sent as it was taken: <input type="file" data-photo="/api/seat/photo">. It waits in the browser's
// own store until the server has answered, through lost networks and closed pages, and is shown as waiting meanwhile.
import { reach, say } from "./actions.js";

const PHOTO = "input[type=file][data-photo]", STORE = "photos", WAITS_MS = [1000, 3000, 8000, 15000];
let running = false;

function store() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("arena-cam", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

async function within(mode, work) {
  const database = await store();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode), asked = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  }).finally(() => database.close());
}

const oldest = () => within("readonly", (photos) => photos.openCursor()).then((cursor) => cursor && { key: cursor.key, ...cursor.value });
const forget = (key) => within("readwrite", (photos) => photos.delete(key));

async function send({ address, bytes }, words) {
  try {
    await reach("POST", address, "image/jpeg", bytes);
    return { done: true };
  } catch (error) {
    return { hopeless: error.status >= 400 && error.status < 500, said: error.status ? error.message : words.waits };
  }
}

async function sendAll(words) {
  if (running) return;
  running = true;
  try {
    for (let failed = 0, photo; (photo = await oldest());) {
      busy(true);
      const { done, hopeless, said } = await send(photo, words);
      if (done || hopeless) {
        await forget(photo.key);
        failed = 0;
        say(done ? words.done : said, done);
      } else {  // no network, no room on the disk: it waits here and is sent again
        say(said);
        await new Promise((resume) => setTimeout(resume, WAITS_MS[Math.min(failed++, WAITS_MS.length - 1)]));
      }
    }
  } finally {
    running = false;
    busy(false);
  }
}

function busy(now) {
  document.body.toggleAttribute("data-sending", now);
}

const wordsOf = (element) => ({ done: element.dataset.done, waits: element.dataset.waits });

async function take(input) {
  const file = input.files[0];
  if (!file) return;
  const words = wordsOf(input), photo = { address: input.dataset.photo, bytes: await file.arrayBuffer() };
  input.value = "";
  busy(true);
  await within("readwrite", (photos) => photos.add(photo)).catch(async () => {  // a private window keeps nothing
    const { done, said } = await send(photo, words);
    say(done ? words.done : said, done);
  });
  await sendAll(words);
}

// While the camera is open the game goes on and the region with its button is made anew: a photograph given to a button
// that is gone would be lost without a word. A twin that stands outside of every region opens the camera.
let twin = null;
function openOutside(event) {
  const input = event.target.closest?.(PHOTO);
  if (!input || input === twin) return;
  event.preventDefault();
  twin?.remove();
  twin = input.cloneNode();
  twin.removeAttribute("id");
  twin.hidden = true;
  document.body.append(twin);
  twin.click();
}

// A camera that was opened before this script had come is a region's own: it reports itself though the region is made anew.
function takeOwn(event) {
  event.stopPropagation();
  take(event.currentTarget);
}

export function installPhotos() {
  document.addEventListener("click", openOutside);
  document.addEventListener("change", (event) => {
    const input = event.target.closest(PHOTO);
    if (input) take(input);
  });
  for (const input of document.querySelectorAll(PHOTO)) {
    input.addEventListener("change", takeOwn);
    take(input);  // chosen before this script had come
  }
  const waiting = document.querySelector("[data-photo]");
  if (waiting) sendAll(wordsOf(waiting)).catch(() => {});
}
