// The set-up's one form with two buttons: each asks for its own action with all that is typed.
import { ask, fields, say } from "./actions.js";

document.addEventListener("submit", (event) => {
  if (event.target.closest("[data-setup-form]")) {
    event.preventDefault();
    run(event.submitter, event.target);
  }
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[type=button][data-setup]");
  if (button?.form.reportValidity()) run(button, button.form);
});

// A card that is learned: a look at its picture, and a way to learn it again.
document.addEventListener("click", async (event) => {
  const dialog = document.getElementById("learned-card");
  const card = event.target.closest("[data-learned]")?.dataset.learned;
  if (card) {
    dialog.dataset.card = card;
    dialog.querySelector("img").src = `/api/setup/learning/${card}?${Date.now()}`;
    dialog.showModal();
  } else if (event.target.closest("[data-close]")) dialog?.close();
  else if (event.target.closest("[data-again]")) {
    dialog.close();
    await ask("POST", "/api/setup/learn_again", { card: dialog.dataset.card }).catch((error) => say(error.message));
  }
});

// A step begins at its top: from the end of the last one its first words lay behind the picture.
const heading = () => document.querySelector("#region-step h2")?.textContent;
let step = heading();
new MutationObserver(() => {
  if (heading() === step) return;
  step = heading();
  scrollTo(0, 0);
}).observe(document.getElementById("region-step"), { childList: true });

// Eyes are on the table while cards are laid: each picture that is taken clicks.
let taken = null, sound = null;
addEventListener("pointerdown", () => { sound ??= window.AudioContext ? new AudioContext() : null; sound?.resume(); });
new MutationObserver(() => {
  const now = document.querySelector("[data-taken]")?.dataset.taken;
  if (now !== undefined && taken !== null && Number(now) > Number(taken)) click();
  taken = now ?? null;
}).observe(document.getElementById("region-now"), { childList: true });

function click() {
  navigator.vibrate?.(40);
  if (!sound) return;
  const tone = sound.createOscillator(), loudness = sound.createGain();
  tone.frequency.value = 990;
  loudness.gain.setValueAtTime(0.15, sound.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.12);
  tone.connect(loudness).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.13);
}

async function run(button, form) {
  const typed = fields(form);
  if (button.dataset.setup === "measure_tray") {
    const [short, long, thickness] = form.querySelector("[data-card-kind]").value.split(",").map(Number);
    Object.assign(typed, { card_mm: [short, long], card_thickness_mm: thickness });
  }
  button.disabled = true;
  try {
    await ask("POST", `/api/setup/${button.dataset.setup}`, typed);
    say(button.dataset.done, true);
  } catch (error) {
    say(error.message);
  } finally {
    button.disabled = false;
  }
}
