// A correction of one line of the record: three kinds, each with a preview of what it changes before it is confirmed.
import { ask, fields, say } from "./actions.js";

const form = document.getElementById("amend"), preview = document.getElementById("preview");
if (form) install();

function install() {
  let wanted = null, also = []; // lines that the correction makes impossible, struck with it
  const part = (name) => preview.querySelector(`[data-${name}]`);
  async function look() {
    try {
      const args = also.length ? { ...wanted.args, also: also.map((line) => ({ line, set: { type: "note" } })) } : wanted.args;
      wanted = { ...wanted, asked: args };
      const answer = await ask("POST", `/api/act/${wanted.action}`, { ...args, preview: true });
      show(answer);
      const stuck = answer.impossible && !also.includes(answer.impossible.line) ? answer.impossible.line : null;
      part("strike-also").hidden = stuck === null;
      part("strike-also").dataset.line = stuck ?? "";
      part("strike-also").textContent = part("strike-also").dataset.words.replace("#", stuck);
      part("also").hidden = also.length === 0;
      part("also").textContent = part("also").dataset.words.replace("#", also.join(", "));
    } catch (error) {
      preview.hidden = true;
      say(error.message);
    }
  }
  part("strike-also").addEventListener("click", (event) => {
    also.push(Number(event.currentTarget.dataset.line));
    look();
  });
  const choose = () => {
    for (const part of form.querySelectorAll("[data-kind]"))
      part.disabled = part.hidden = part.dataset.kind !== form.elements.kind.value;
    preview.hidden = true;
  };
  form.addEventListener("change", (event) => { if (event.target.name === "kind") choose(); else preview.hidden = true; });
  choose();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    [wanted, also] = [asked(form), []];
    look();
  });
  preview.querySelector("[data-cancel-amend]").addEventListener("click", () => { preview.hidden = true; });
  preview.querySelector("[data-confirm-amend]").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      await ask("POST", `/api/act/${wanted.action}`, wanted.asked);
      location.reload();
    } catch (error) {
      say(error.message);
      button.disabled = false;
    }
  });
}

function asked(form) {
  const { who, reason, kind, ...said } = fields(form);
  const args = { line: Number(form.dataset.line), who, reason };
  const boxes = [...form.querySelectorAll(`[data-kind="${kind}"] input[name="rests_on"]`)];
  if (boxes.every((box) => box.checked === box.defaultChecked)) delete said.rests_on; // as it is
  if (kind === "before") return { action: "amend", args: { ...args, before: [{ type: "throw", ...said }] } };
  if (kind === "set") return { action: "amend", args: { ...args, set: said } };
  const frees = ["throw", "moved"].includes(form.dataset.type); // later lines that speak of the card are mended, too
  return frees ? { action: "throw_never_happened", args } : { action: "amend", args: { ...args, set: { type: "note" } } };
}

function show(answer) {
  const rows = Object.entries(answer.scores_after).map(([name, after]) => {
    const row = document.createElement("tr"), before = answer.scores_before[name];
    row.append(element("td", name), element("td", before, "num"), element("td", after, after === before ? "num" : "num changed"));
    return row;
  });
  preview.querySelector("[data-scores]").replaceChildren(...rows);
  const list = preview.querySelector("[data-changes]"), impossible = preview.querySelector("[data-impossible]");
  list.replaceChildren(...answer.changed.map((change) => {
    const item = document.createElement("li");
    item.append(element("small", numbered(list, change.line), "dim"));
    if (change.said_before) item.append(element("del", change.said_before));
    if (change.said_after) item.append(element("ins", change.said_after));
    return item;
  }));
  preview.querySelector("[data-nothing]").hidden = answer.changed.length > 0 || Boolean(answer.impossible);
  impossible.hidden = !answer.impossible;
  impossible.textContent = answer.impossible ? impossible.dataset.words.replace("#", answer.impossible.line).replace("@", () => answer.impossible.text) : "";
  preview.querySelector("[data-confirm-amend]").disabled = Boolean(answer.impossible);
  preview.hidden = false;
  preview.focus();
  preview.scrollIntoView({ block: "nearest" });
}

const numbered = (place, line) => place.dataset.lineWord.replace("#", line);

function element(tag, content, name = "") {
  const made = document.createElement(tag);
  made.textContent = content ?? "–";
  made.className = name;
  return made;
}
