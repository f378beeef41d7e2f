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
