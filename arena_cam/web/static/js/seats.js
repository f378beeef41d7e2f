// Seats: in the form of a new game a symbol follows its colour, who played before is written as then, and seats can be
// shuffled; a card offered on a phone is written into its field.

export function installSeats() {
  document.querySelectorAll("[data-colour]").forEach(drawSymbol);  // chosen before this script had come
  document.addEventListener("change", (event) => {
    const chosen = event.target.closest("[data-colour]");
    if (chosen) drawSymbol(chosen);
    if (event.target.matches("input[list]")) writeAsBefore(event.target);
  });
  document.addEventListener("reset", (event) => setTimeout(() => event.target.querySelectorAll("[data-colour]").forEach(drawSymbol)));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-shuffle-seats]");
    if (button) shuffle([...button.closest("form").querySelectorAll("[data-seats] li")]);
    const offered = event.target.closest("[data-fill]");
    if (offered) {
      const field = document.getElementById(offered.dataset.fill);
      field.value = offered.textContent;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      offered.closest("details").open = false;
    }
  });
}

// A name that only capitals, spaces or the way its accents are put part from one that is known is that player's: "anna"
// typed in haste would begin a second history beside Anna's. It changes where it was typed, before anything is sent.
const asRead = (name) => name.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean).join(" ");

function writeAsBefore(input) {
  const known = [...input.list?.options ?? []].map((option) => option.value);
  if (!known.includes(input.value)) input.value = known.find((name) => asRead(name) === asRead(input.value)) ?? input.value;
}

function drawSymbol(select) {
  const symbol = document.querySelector(`template[data-symbol-of="${select.value}"]`);
  const place = select.closest("li").querySelector("[data-symbol]"), dot = select.closest("li").querySelector("[data-dot]");
  if (symbol && place) place.replaceChildren(symbol.content.cloneNode(true));
  if (dot) dot.className = `dot-of c-${select.value || "none"}`;
}

// Whoever is named changes places, each with his colour; empty seats stay at the end.
function shuffle(rows) {
  const seats = rows.map((row) => row.querySelectorAll("input, select")).filter(([name]) => name.value.trim());
  const people = seats.map(([name, colour]) => [name.value, colour?.value]);
  for (let last = people.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [people[last], people[other]] = [people[other], people[last]];
  }
  seats.forEach(([name, colour], place) => {
    [name.value] = people[place];
    if (colour) {
      [, colour.value] = people[place];
      drawSymbol(colour);
    }
  });
}
