// What is typed into <form data-draft="KEY"> stays in this browser until it is sent, through reloads and phones that sleep:
// the program knows nothing of it, so that nobody else sees it. One draft is kept; a form of another KEY forgets it, and
// so does who leaves the seat. A form that comes back with its KEY, since what was sent is taken back, has it again.
const STORE = "draft", shown = new WeakSet();  // forms that have had their draft

function kept() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {  // a browser that keeps nothing
    return {};
  }
}

function keep(draft) {
  try {
    if (draft) localStorage.setItem(STORE, JSON.stringify(draft));
    else localStorage.removeItem(STORE);
  } catch { /* then it stays on the page alone */ }
}

// Only fields that a person writes into have a name and an id here.
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.id);

// Gives a form that has come onto the page what was typed into it before.
export function showDraft() {
  const form = document.querySelector("form[data-draft]");
  if (!form || shown.has(form)) return;
  shown.add(form);
  const { of, fields = {} } = kept();
  if (of === undefined) return;
  if (of !== form.dataset.draft) return keep(null);
  for (const field of fieldsOf(form)) if (fields[field.id] && !field.value.trim()) field.value = fields[field.id];
  for (const select of form.querySelectorAll("select[id]"))
    if ([...select.options].some((option) => option.value === fields[select.id])) select.value = fields[select.id];
}

export const forgetDraft = () => keep(null);

function keepForm(form) {
  keep({ of: form.dataset.draft, fields: Object.fromEntries(fieldsOf(form).map((field) => [field.id, field.value])) });
}

export function installDrafts() {
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-draft]");
    if (form) keepForm(form);
  });
  showDraft();
  const form = document.querySelector("form[data-draft]");  // who is quick has written before this was loaded
  if (form && fieldsOf(form).some((field) => field.value.trim())) keepForm(form);
}
