// Numbers between − and +. Every tap counts at once, however quick: what a number has become is sent when the taps pause,
// and a page that comes back for an earlier tap shows it as it was tapped meanwhile.

const PAUSE_MS = 300;  // two taps of a quick finger are 150 to 250 ms apart
const tapped = new Map();  // by the number's id: what it was tapped to, and what sends it

// One tap on a button [data-step] of a [data-stepper]; `send` takes the number's element and what is asked of the program.
export function step(button, send) {
  const { id, dataset } = button.closest("[data-stepper]"), before = tapped.get(id);
  clearTimeout(before?.timer);
  const most = Number(dataset.most), more = Number(button.dataset.step);
  const next = { count: Math.min(Math.max((before?.count ?? Number(dataset.count)) + more, 0), most) };
  next.send = async () => {
    clearTimeout(next.timer);
    next.sent ??= send(document.getElementById(id), { ...JSON.parse(dataset.args), count: next.count });
    const done = await next.sent;
    if (tapped.get(id) !== next) return;  // tapped on meanwhile
    tapped.delete(id);
    if (!done) show(id, Number(document.getElementById(id)?.dataset.count));
  };
  next.timer = setTimeout(next.send, PAUSE_MS);
  tapped.set(id, next);
  showTapped();
}

// Sends what waits, before anything else is asked of the program.
export const sendTapped = () => Promise.all([...tapped.values()].map((each) => each.send()));

// The numbers as they were tapped, on a page that was renewed.
export function showTapped() { for (const [id, { count }] of tapped) show(id, count); }

function show(id, count) {
  const stepper = document.getElementById(id);
  if (!stepper) return;
  stepper.querySelector("b").textContent = count;
  stepper.querySelector("[data-step='-1']").disabled = count === 0;
  stepper.querySelector("[data-step='1']").disabled = count >= Number(stepper.dataset.most);
}
