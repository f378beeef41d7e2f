// A correction of one line of the record: three kinds, each with a preview of what it changes before it is confirmed.
import { ask, fields, say } from "./actions.js";

const NAME = "who corrects"; // kept on this device: whoever corrects once will again
const form = document.getElementById("amend"), preview = document.getElementById("preview");
if (form) install();

function install() {
  let wanted = null, also = []; // what must be said with the correction: {line, set | before, said}
  form.elements.who.value = localStorage.getItem(NAME) ?? "";
  const part = (name) => preview.querySelector(`[data-${name}]`);
  async function look() {
    try {
      const more = also.map(({ said, ...amendment }) => amendment);
      const args = more.length ? { ...wanted.args, also: more } : wanted.args;
      wanted = { ...wanted, asked: args };
      const answer = await ask("POST", `/api/act/${wanted.action}`, { ...args, preview: true });
      show(answer);
      offer(answer.impossible);
    } catch (error) {
      preview.hidden = true;
      say(error.message);
    }
  }
  // A correction that changes what the game awaited leads through what is missing now; striking the line is the other way.
  function offer(impossible) {
    const line = impossible?.line ?? null, struck = also.some((each) => each.line === line && each.set?.type === "note");
    const strike = part("strike-also"), missing = part("missing"), list = part("also");
    strike.hidden = line === null || struck || impossible.type === null;
    strike.dataset.line = line ?? "";
    strike.textContent = strike.dataset.words.replace("#", line);
    missing.hidden = line === null || struck || !impossible.forms?.length;
    if (!missing.hidden) askFor(missing, impossible);
    list.hidden = also.length === 0;
    list.replaceChildren(...also.map((each) => {
      const words = each.set?.type === "note" ? list.dataset.struck : each.set ? list.dataset.changed : list.dataset.entered;
      return element("li", words.replace("#", each.line).replace("@", () => each.said));
    }));
  }
  part("strike-also").addEventListener("click", (event) => {
    also.push({ line: Number(event.currentTarget.dataset.line), set: { type: "note" } });
    look();
  });
  part("missing").addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const place = event.currentTarget, line = Number(place.dataset.line), kind = chosen(place);
    const { event: said = {} } = fields(place);
    if (kind.type === place.dataset.type) also.push({ line, set: said, said: inWords(place, kind) });
    else also.push({ line, before: [{ type: kind.type, ...said }], said: inWords(place, kind) });
    look();
  });
  part("missing").addEventListener("change", (event) => { if (event.target.matches("[data-kind-of-event]")) fill(part("missing")); });
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
      const who = form.elements.who.value.trim(), reason = form.elements.reason.value.trim();
      if (who) localStorage.setItem(NAME, who);
      await ask("POST", `/api/act/${wanted.action}`, { ...wanted.asked, ...(who && { who }), ...(reason && { reason }) });
      location.reload();
    } catch (error) {
      say(error.message);
      button.disabled = false;
    }
  });
}

function asked(form) {
  const { who, reason, kind, ...said } = fields(form);
  const args = { line: Number(form.dataset.line) };
  const boxes = [...form.querySelectorAll(`[data-kind="${kind}"] input[name="rests_on"]`)];
  if (boxes.every((box) => box.checked === box.defaultChecked)) delete said.rests_on; // as it is
  if (kind.startsWith("before-"))
    return { action: "amend", args: { ...args, before: [{ type: kind.slice("before-".length), ...said.event }] } };
  if (kind === "before") return { action: "amend", args: { ...args, before: [{ type: "throw", ...said }] } };
  if (kind === "set") return { action: "amend", args: { ...args, set: said } };
  const frees = ["throw", "moved"].includes(form.dataset.type); // later lines that speak of the card are mended, too
  return frees ? { action: "throw_never_happened", args } : { action: "amend", args: { ...args, set: { type: "note" } } };
}

// The form of `missing`: which kind of event, then its fields. `forms` of the server are kept on the element.
function askFor(missing, impossible) {
  Object.assign(missing.dataset, { line: impossible.line, type: impossible.type ?? "" });
  missing.forms = impossible.forms;
  const kind = document.createElement("select");
  kind.dataset.kindOfEvent = "";
  kind.append(...impossible.forms.map((form) => option(form.type, form.said)));
  const label = element("label", "");
  label.append(element("span", ""), kind);
  const place = element("div", "", "two"), button = element("button", missing.dataset.add);
  place.dataset.fields = "";
  missing.replaceChildren(label, place, button);
  fill(missing);
}

const chosen = (missing) => missing.forms.find((form) => form.type === missing.querySelector("[data-kind-of-event]").value);

function fill(missing) {
  const form = chosen(missing), words = form.type === missing.dataset.type ? missing.dataset.replace : missing.dataset.insert;
  missing.querySelector("label > span").textContent = words.replace("#", missing.dataset.line);
  missing.querySelector("[data-fields]").replaceChildren(...form.fields.map(fieldOf));
}

function fieldOf(field, index) {
  const label = element(field.many ? "fieldset" : "label", "");
  const path = JSON.stringify(["event", ...field.path]);
  if (field.many) {
    label.append(element("legend", field.label), ...field.many.map((each) => {
      const box = document.createElement("input"), check = element("label", "", "check");
      Object.assign(box, { type: "checkbox", name: `many-${index}`, value: each.value });
      Object.assign(box.dataset, { type: "many", path });
      check.append(box, each.said);
      return check;
    }));
    return label;
  }
  const select = document.createElement("select");
  Object.assign(select, { name: `one-${index}`, required: true });
  Object.assign(select.dataset, { type: "json", path });
  select.append(option("", ""), ...field.options.map((each) => option(JSON.stringify(each.value), each.said)));
  label.append(field.label, select);
  return label;
}

function inWords(missing, form) {
  const said = [...missing.querySelectorAll("[data-fields] select")].map((select) => {
    const label = select.closest("label").firstChild.textContent;
    return `${label}: ${select.selectedOptions[0].textContent}`;
  });
  return [form.said, ...said].join(", ");
}

function option(value, said) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = said;
  return made;
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
