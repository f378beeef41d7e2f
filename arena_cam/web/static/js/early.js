// What is pressed before the page's scripts have come is kept, and done as soon as they have. Without this a form went
// out by itself: the page came anew, what was typed was lost, and a secret choice stood in the address.
(() => {
  const ACTS = "button[data-act], button[data-post], button[data-open], button[data-ask-first], g[data-act], [data-enlarge-toggle]";
  const pressed = [];
  function keep(event) {
    const button = event.target.closest(event.type === "submit" ? "form:not([action])" : ACTS);
    if (!button || (event.type === "click" && button.form && button.type === "submit")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!pressed.some((each) => each.button === button)) pressed.push({ button, by: event.submitter });
  }
  document.addEventListener("submit", keep, true);
  document.addEventListener("click", keep, true);
  document.addEventListener("DOMContentLoaded", () => {  // comes after the modules; without them nothing goes out
    if (!("scripted" in document.body.dataset)) return;
    document.removeEventListener("submit", keep, true);
    document.removeEventListener("click", keep, true);
    for (const { button, by } of pressed) {
      if (button.matches("form")) button.requestSubmit(by);
      else button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  });
})();

// Letters that come just after the page was first drawn move what stands around them: the page is shown when they are
// here, or after LONGEST_MS without them.
(() => {
  const LONGEST_MS = 400, waits = document.documentElement.classList;
  waits.add("letters-come");
  const late = new Promise((resume) => setTimeout(resume, LONGEST_MS));
  Promise.race([document.fonts.load("1em Inter"), late]).catch(() => {}).finally(() => waits.remove("letters-come"));
})();
