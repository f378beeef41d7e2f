// An exported throw is sent as it is; the answer says where it can be looked at.
import { csrf, say } from "./actions.js";

const form = document.getElementById("open-export");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button"), file = form.elements.file.files[0];
  if (!file) return;
  if (file.size > Number(form.dataset.most)) return say(form.dataset.tooLarge);
  button.disabled = true;
  say(form.dataset.wait, true);
  try {
    const answer = await fetch("/api/opened", {
      method: "POST", headers: { "Content-Type": "application/zip", "X-CSRF-Token": csrf() }, body: file,
    });
    const data = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(data.error?.message ?? answer.statusText);
    location.assign(data.address);
  } catch (error) {
    say(error.message);
    button.disabled = false;
  }
});
