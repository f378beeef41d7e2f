// A sheet is drawn while one waits: say so, then hand it over.
import { answered, say } from "./actions.js";

for (const link of document.querySelectorAll("a[data-drawn]")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    if (link.getAttribute("aria-busy")) return;
    link.setAttribute("aria-busy", "true");
    const reminder = setInterval(() => say(link.dataset.drawn, true), 2000);
    say(link.dataset.drawn, true);
    try {
      const answer = await answered(link.href);
      const name = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "sheet.pdf";
      const file = document.createElement("a");
      file.href = URL.createObjectURL(await answer.blob());
      file.download = name;
      file.click();
    } catch (error) {
      say(error.message);
    } finally {
      clearInterval(reminder);
      link.removeAttribute("aria-busy");
    }
  });
}
