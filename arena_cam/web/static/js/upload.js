// An exported throw is sent as it is; the answer says where it can be looked at.
import { reach, say } from "./actions.js";

const form = document.getElementById("open-export");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button"), file = form.elements.file.files[0];
  if (!file) return;
  if (file.size > Number(form.dataset.most)) return say(form.dataset.tooLarge);
  button.disabled = true;
  say(form.dataset.wait, true);
  try {
    location.assign((await reach("POST", "/api/opened", "application/zip", file)).address);
  } catch (error) {
    say(error.message);
    button.disabled = false;
  }
});
