// A backup goes to the server piece by piece; after a start anew the page waits until the program answers again.
import { ask, csrf, say } from "./actions.js";

const PIECE = 8 * 1024 * 1024, ASK_EVERY_MS = 1000, FIRST_MS = 2500;
const form = document.getElementById("restore");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button"), far = form.querySelector("[data-far]"), file = form.elements.file.files[0];
  button.disabled = true;
  far.hidden = false;
  try {
    let arrived = null;
    for (let at = 0; at < file.size; at += PIECE) {
      far.textContent = form.dataset.wait.replace("#", Math.floor((100 * at) / file.size));
      arrived = await send(file.slice(at, at + PIECE), at, file.size);
    }
    const when = new Date(arrived.made * 1000).toLocaleString(document.documentElement.lang);
    if (confirm(form.dataset.question.replace("#", arrived.games).replace("@", () => when))) {
      await ask("POST", "/api/upkeep/restore");
      await again(form.dataset.again);
    }
  } catch (error) {
    say(error.message);
  }
  far.hidden = true;
  button.disabled = false;
});

document.querySelector("[data-restart]")?.addEventListener("click", async (event) => {
  const { confirm: question, again: words } = event.currentTarget.dataset;
  if (!confirm(question)) return;
  try {
    await ask("POST", "/api/upkeep/restart");
    await again(words);
  } catch (error) {
    say(error.message);
  }
});

async function send(piece, at, total) {
  const answer = await fetch(`/api/upkeep/arriving?at=${at}&total=${total}`, {
    method: "POST", headers: { "Content-Type": "application/octet-stream", "X-CSRF-Token": csrf() }, body: piece,
  });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error?.message ?? answer.statusText);
  return data;
}

async function again(words) {
  say(words, true);
  await new Promise((done) => setTimeout(done, FIRST_MS));
  while (!(await fetch("/api/health").catch(() => null))) await new Promise((done) => setTimeout(done, ASK_EVERY_MS));
  location.reload();
}
