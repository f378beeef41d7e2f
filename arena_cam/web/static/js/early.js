// What is pressed before its script has come is kept, and done as soon as it has: a page's own scripts come a moment
// after the page, and what only some pages have comes later still. Without this a form went out by itself: the page came
// anew, what was typed was lost, and a secret choice stood in the address.
(() => {
  // A browser does by itself what a form with an address and a button of a popover say.
  const PRESSED = "button:not([popovertarget]), g[data-act], [data-cell], [data-enlarge] img";
  const CHANGED = "[data-change-act], [data-switch], [data-still]";
  const waits = new Set(), kept = [];  // selectors of what nobody hears yet; what was pressed meanwhile
  const waiting = (element) => [...waits].some((selector) => element.matches(selector));
  const sent = (button) => button.form && button.type === "submit";

  const meant = {
    submit: (event) => event.target.closest("form:not([action])"),
    change: (event) => event.target.closest(CHANGED),
    click: (event) => { const button = event.target.closest(PRESSED); return button && !sent(button) ? button : null; },
    keydown: (event) => ["Enter", " "].includes(event.key) && event.target.matches("g[data-act], [data-cell]") ? event.target : null,
  };
  function keep(event) {
    const element = meant[event.type](event);
    if (!element || !waiting(element)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!kept.some((each) => each.element === element)) kept.push({ element, event, by: event.submitter });
  }
  function give({ element, event, by }) {
    if (!element.isConnected) return;  // the game went on without it
    if (event.type === "submit") element.requestSubmit(by);
    else if (event.type === "change") element.dispatchEvent(new Event("change", { bubbles: true }));
    else element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX: event.clientX, clientY: event.clientY }));
  }
  // Presses on what `selector` names are kept until `ready`, a promise, is fulfilled.
  function keepUntil(selector, ready) {
    waits.add(selector);
    ready.then(() => {
      waits.delete(selector);
      for (const each of kept.filter(({ element }) => !waiting(element))) {
        kept.splice(kept.indexOf(each), 1);
        give(each);
      }
    });
  }
  for (const type of Object.keys(meant)) document.addEventListener(type, keep, true);
  window.keepUntil = keepUntil;
  keepUntil(`form, ${PRESSED}, ${CHANGED}`, new Promise((resume) => {
    document.addEventListener("DOMContentLoaded", () => {  // comes after the modules; without them nothing goes out
      if ("scripted" in document.body.dataset) resume();
    });
  }));
})();

// Letters that come just after the page was first drawn move what stands around them: the page is shown when they are
// here, or after LONGEST_MS without them.
(() => {
  const LONGEST_MS = 400, waits = document.documentElement.classList;
  waits.add("letters-come");
  const late = new Promise((resume) => setTimeout(resume, LONGEST_MS));
  Promise.race([document.fonts.load("1em Inter"), late]).catch(() => {}).finally(() => waits.remove("letters-come"));
})();
