// What is told only once: a token, a webhook's secret.
import { ask, fields, say } from "./actions.js";

for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const told = await ask("POST", form.dataset.once, fields(form));
      const panel = document.getElementById("once");
      document.getElementById("once-secret").textContent = told.secret;
      panel.hidden = false;
      panel.scrollIntoView({ block: "start" });
      document.getElementById("once-secret").focus();
      form.reset();
    } catch (error) {
      say(error.message);
    }
  });
}
