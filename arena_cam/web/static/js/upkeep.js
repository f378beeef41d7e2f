// A backup goes to the server piece by piece; after a start anew the page waits until the new program answers.
import { ask, reach, say } from "./actions.js";
import { dayAndTime } from "./times.js";

const PIECE = 8 * 1024 * 1024, ASK_EVERY_MS = 1000;
const form = document.getElementById("restore");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const far = form.querySelector("[data-far]"), file = form.elements.file.files[0];
  if (!file.size) { say(form.dataset.empty); return; }
  await working(form.querySelector("button"), far, async () => {
    let arrived = null;
    for (let at = 0; at < file.size; at += PIECE) {
      far.textContent = form.dataset.wait.replace("#", Math.floor((100 * at) / file.size));
      arrived = await send(file.slice(at, at + PIECE), at, file.size);
    }
    const when = dayAndTime(new Date(arrived.made * 1000));
    if (!confirm(form.dataset.question.replace("#", arrived.games).replace("@", () => when))) return;
    await ask("POST", "/api/upkeep/restore");
    await again(far, form.dataset.again);
  });
});

document.querySelector("[data-restart]")?.addEventListener("click", async (event) => {
  const button = event.currentTarget, { confirm: question, again: words } = button.dataset;
  if (!confirm(question)) return;
  const far = button.closest("section").querySelector("[data-far]");
  far.textContent = words;
  await working(button, far, async () => {
    await ask("POST", "/api/upkeep/restart");
    await again(far, words);
  });
});

async function working(button, far, work) {
  button.disabled = true;
  far.hidden = false;
  try {
    await work();
  } catch (error) {
    say(error.message);
  }
  far.hidden = true;
  button.disabled = false;
}

function send(piece, at, total) {
  return reach("POST", `/api/upkeep/arriving?at=${at}&total=${total}`, "application/octet-stream", piece);
}

// The old program goes on answering until it has put everything away: the new one started later than it.
async function again(far, words) {
  far.textContent = words;
  const old = Number(document.querySelector("[data-started]").dataset.started);
  for (let answer; !answer || (answer.ok && (await answer.json()).started === old);) {
    await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
    answer = await fetch("/api/upkeep").catch(() => null);
  }
  location.reload();
  await new Promise(() => {});  // the page that comes says the rest
}
