// Speaks each announcement once, in the page's language; off until somebody switches it on.

export function installSpeech() {
  const button = document.querySelector("[data-speech]");
  let on = localStorage.getItem("speech") === "on", said = null;

  function show() { button?.setAttribute("aria-pressed", on); }
  function look() {
    const element = document.querySelector("[data-announcement]");
    if (!element) return;
    const id = Number(element.dataset.announcement);
    const news = said !== null && id > said;
    said = Math.max(said ?? id, id);
    if (!news || !on || !window.speechSynthesis) return;
    const words = new SpeechSynthesisUtterance(element.textContent);
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
