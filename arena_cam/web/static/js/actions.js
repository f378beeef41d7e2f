// Buttons and forms that ask the API: <button data-act="close_challenge"> or <form data-post="/api/seat">.
import { forgetDraft } from "./drafts.js";
import { sendTapped, step } from "./steppers.js";

export const csrf = () => document.querySelector('meta[name="csrf-token"]').content;

// The program's answer to a request. Throws an error in the page's language: what the program refuses in its own words,
// with the answer's `status`, and where nothing answers, a sentence in place of the browser's "Failed to fetch".
export async function answered(path, asked) {
  const answer = await fetch(path, asked).catch(() => { throw new Error(document.body.dataset.unreached); });
  if (answer.ok) return answer;
  const refused = new Error((await answer.json().catch(() => ({}))).error?.message ?? answer.statusText);
  throw Object.assign(refused, { status: answer.status });
}

// Sends to the program and returns what it answers; throws as `answered`.
export async function reach(method, path, type, body) {
  const asked = { method, headers: { "Content-Type": type, "X-CSRF-Token": csrf() }, body };
  return (await answered(path, asked)).json().catch(() => ({}));
}

export function ask(method, path, body) {
  return reach(method, path, "application/json", method === "GET" ? undefined : JSON.stringify(body ?? {}));
}

export function say(text, fine = false) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  toast.classList.toggle("fine", fine);
  toast.hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { toast.hidden = true; }, fine ? 2500 : 7000);
}

// What was refused is past once something is done.
function unsay() {
  const toast = document.getElementById("toast");
  if (!toast.classList.contains("fine")) toast.hidden = true;
}

// Fields become the body: "players[0].name" makes lists and objects; empty fields are left out. data-type says what a
// value is: number, json, list (words), many (a list of the boxes that are ticked), joined (letters that
// make one word).
export function fields(form) {
  const out = {};
  for (const field of form.elements) {
    if (!field.name || field.matches(":disabled")) continue;
    const path = field.dataset.path ? JSON.parse(field.dataset.path) : field.name.split(/[.[\]]+/).filter(Boolean);
    if (field.dataset.type === "many") {
      const many = listed(out, path);
      if (field.checked) many.push(field.value);
    } else if (field.dataset.type === "joined") {
      if (field.type !== "radio" || field.checked) out[path.at(-1)] = (out[path.at(-1)] ?? "") + field.value;
    } else if (!["radio", "checkbox"].includes(field.type) || field.checked) {
      const value = typed(field);
      if (value !== "" && value?.length !== 0) put(out, path, value);
    }
  }
  if (typeof out.first === "number") out.first = out.players?.[out.first]?.name;  // before empty seats are left out
  if (out.players) out.players = out.players.filter((player) => player?.name);
  return out;
}

// Whether something is written wherever it is asked for: blanks alone are nothing, and the browser says so in its words.
function written(form) {
  for (const field of form.querySelectorAll("input[required], textarea[required]"))
    if (!field.matches(":disabled, [type=radio], [type=checkbox], [type=file]") && !field.value.trim()) field.value = "";
  return form.reportValidity();
}

function typed(field) {
  if (field.dataset.type === "number") return Number(field.value);
  if (field.dataset.type === "seat") return field.value === "" ? "" : Number(field.value);
  if (field.dataset.type === "json") return field.value === "" ? "" : JSON.parse(field.value);
  if (field.dataset.type === "list") return field.value.split(/[\s,]+/).filter(Boolean);
  return field.value.trim();
}

function listed(target, path) {
  const place = path.slice(0, -1).reduce((inside, key) => inside[key] ??= {}, target);
  return place[path.at(-1)] ??= [];
}

function put(target, path, value) {
  path.forEach((key, index) => {
    if (index === path.length - 1) target[key] = value;
    else target = target[key] ??= /^\d+$/.test(path[index + 1]) ? [] : {};
  });
}

export function installActions() {
  document.addEventListener("click", async (event) => {
    const opener = event.target.closest("button[data-open]");
    if (opener) {
      const details = document.getElementById(opener.dataset.open);
      details.open = true;
      details.scrollIntoView({ block: "start" });
      details.querySelector("input")?.focus();
      return;
    }
    const taps = event.target.closest("button[data-step]");
    if (taps) { step(taps, (stepper, args) => run(stepper, stepper.dataset, args)); return; }
    const first = event.target.closest("button[data-ask-first]");
    if (first) { await askFirst(first); return; }
    const button = event.target.closest("button[data-act], button[data-post], g[data-act]");
    if (!button || (button.form && button.type === "submit")) return;
    const args = JSON.parse(button.dataset.args || "{}");
    if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
    if (button.dataset.ends && !await mayEnd(button.dataset.ends, args.game)) return;
    await run(button, button.dataset, args);
  });
  document.addEventListener("keydown", (event) => {  // a mark in a drawing is a button for the keyboard, too
    const mark = ["Enter", " "].includes(event.key) && event.target.closest("g[data-act]");
    if (!mark) return;
    event.preventDefault();
    mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-act], form[data-post]");
    if (!form) return;
    event.preventDefault();
    if (!written(form)) return;
    const running = document.querySelector("[data-running-game]");
    if ("startsOver" in form.dataset && running && !confirm(running.dataset.runningGame)) return;
    const extra = JSON.parse(event.submitter?.dataset.args || "{}");
    const done = await run(event.submitter ?? form, form.dataset, { ...fields(form), ...extra });
    if (done && "empties" in form.dataset) document.getElementById(form.id)?.reset();  // it may be a renewed one by now
    if (done && "startsOver" in form.dataset) {  // a second tap on the same place must not start over once more
      form.closest("details")?.removeAttribute("open");
      form.reset();
    }
  });
  document.addEventListener("change", async (event) => {
    const field = event.target.closest("[data-change-act]");
    if (!field) return;
    const value = field.dataset.type === "number" ? Number(field.value) : field.value;
    await run(field, { act: field.dataset.changeAct }, { [field.name]: value });
  });
}

// Asks, in `words` with # for its name, whether the game that is being played may be ended for another one. The program is
// asked which that is: a page of old games stands still, and a game may have begun since.
async function mayEnd(words, other) {
  const state = await ask("GET", "/api/state").catch((error) => { say(error.message); return null; });
  if (!state) return false;
  const { game } = state;
  const ends = game && !game.ended && !game.over && game.id !== other;
  return !ends || confirm(words.replaceAll("#", () => game.name));
}

// Says first what an action would take back and change; the dialog's own button does it.
async function askFirst(button) {
  await sendTapped();
  const dialog = document.getElementById("ask-first"), path = `/api/act/${button.dataset.askFirst}`;
  const answer = await ask("POST", path, { preview: true }).catch((error) => { say(error.message); return null; });
  if (!answer) return;
  const part = (name) => dialog.querySelector(`[data-${name}]`), impossible = part("impossible");
  part("steps").replaceChildren(...answer.steps.map(changed));
  part("changes").replaceChildren(...answer.changed.map(changed));
  impossible.hidden = !answer.impossible;
  impossible.textContent = answer.impossible?.text ?? "";
  part("yes").disabled = Boolean(answer.impossible);
  part("yes").onclick = () => { dialog.close(); run(button, { act: button.dataset.askFirst }, {}); };
  part("no").onclick = () => dialog.close();
  dialog.showModal();
}

function changed(change) {
  const item = document.createElement("li");
  for (const [tag, words] of [["del", change.said_before], ["ins", change.said_after]]) {
    if (!words) continue;
    item.append(Object.assign(document.createElement(tag), { textContent: words }));
  }
  return item;
}

async function run(control, data, args) {
  control.disabled = true;
  if (!("stepper" in data)) await sendTapped();
  if ("reads" in data) document.body.setAttribute("data-sending", "");
  try {
    const path = data.act ? `/api/act/${data.act}` : data.post;
    await ask(data.method || "POST", path, args);
    if (data.done) say(data.done, true);
    else unsay();
    if ("forgetsDraft" in data) forgetDraft();
    if (data.then === "reload") location.reload();
    else if (data.then) location.assign(data.then);
    return true;
  } catch (error) {
    say(error.message);
    return false;
  } finally {
    control.disabled = false;
    if ("reads" in data) document.body.removeAttribute("data-sending");
  }
}
