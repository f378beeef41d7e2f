// Speaks each announcement once, in the page's language; off until somebody switches it on.

export function installSpeech() {
  const button = document.querySelector("[data-speech]");
  const said = new Map();  // by channel: the number of what was said last
  let looked = false, on = localStorage.getItem("speech") === "on";

  function show() { button?.setAttribute("aria-pressed", on); }
  function look() {
    for (const element of document.querySelectorAll("[data-announcement]")) {
      const id = Number(element.dataset.announcement), channel = element.dataset.channel ?? "ruling";
      const before = said.get(channel) ?? (looked && element.dataset.channel ? -1 : id);
      said.set(channel, Math.max(before, id));
      if (id > before && on && window.speechSynthesis) speak(element.textContent);
    }
    looked = true;
  }
  function speak(text) {
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    speechSynthesis.speak(words);
  }
  button?.addEventListener("click", () => {
    on = !on;
    localStorage.setItem("speech", on ? "on" : "off");
    show();
  });
  if (button && !window.speechSynthesis) button.hidden = true;
  show();
  look();
  return { look };
}
