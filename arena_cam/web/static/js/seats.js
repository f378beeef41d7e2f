// Seats: in the form of a new game a symbol follows its colour, and seats can be shuffled; a card offered on a phone is
// written into its field.

export function installSeats() {
  document.querySelectorAll("[data-colour]").forEach(drawSymbol);  // chosen before this script had come
  document.addEventListener("change", (event) => {
    const chosen = event.target.closest("[data-colour]");
    if (chosen) drawSymbol(chosen);
  });
  document.addEventListener("reset", (event) => setTimeout(() => event.target.querySelectorAll("[data-colour]").forEach(drawSymbol)));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-shuffle-seats]");
    if (button) shuffle([...button.closest("form").querySelectorAll("[data-seats] li")]);
    const offered = event.target.closest("[data-fill]");
    if (offered) {
      document.getElementById(offered.dataset.fill).value = offered.textContent;
      offered.closest("details").open = false;
    }
  });
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
