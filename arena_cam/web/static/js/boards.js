// Boards of cells that can be tapped: a tap lays the tile that waits, or asks what lies there, likely tiles first.
import { ask, say } from "./actions.js";

const NOTHING = "nothing";

export function installBoards() {
  document.addEventListener("click", (event) => tapped(event.target));
  document.addEventListener("keydown", (event) => {
    if (["Enter", " "].includes(event.key) && event.target.closest?.("[data-cell]")) {
      event.preventDefault();
      tapped(event.target);
    }
  });
  document.addEventListener("change", async (event) => {
    const box = event.target.closest("[data-switch]");
    if (box) await ask("POST", box.dataset.switch, { on: box.checked }).catch((error) => say(error.message));
  });
}

async function tapped(target) {
  const cell = target.closest?.("[data-cell]")?.dataset.cell, board = target.closest?.("[data-board]");
  if (!cell || !board) return;
  const data = JSON.parse(board.dataset.board);
  try {
    if (data.lays) return await ask("POST", "/api/seat/act/lay", { cell });
    const tile = await chosen(data, cell);
    if (tile !== null) await mended(data, cell, tile === NOTHING ? null : tile);
  } catch (error) {
    say(error.message);
  }
}

async function mended(data, cell, tile) {
  if (data.how === "seat") return ask("POST", "/api/seat/act/mend", { cell, tile });
  if (data.how === "desk") return ask("POST", "/api/act/mend", { player: data.player, cell, tile });
  const boards = { ...data.boards, [data.player]: swapped(data.cells, cell, tile) };
  await ask("POST", "/api/act/amend", { line: data.line, set: { boards }, reason: `${data.player}: ${cell} ${tile}` });
  location.reload();
}

// A tile that lay elsewhere changes places with what lay here.
function swapped(cells, cell, tile) {
  const after = { ...cells }, elsewhere = Object.keys(cells).find((name) => cells[name] === tile);
  if (elsewhere) after[elsewhere] = cells[cell];
  after[cell] = tile;
  return after;
}

// The tiles in the order of likelihood: what was read, what lies nowhere yet, the others that were drawn.
function offered(data, cell) {
  const known = data.tiles.length ? data.tiles : data.all, lain = new Set(Object.values(data.cells));
  const likely = (data.likely[cell] ?? []).filter((tile) => tile && known.includes(tile)).slice(0, 4);
  return [...new Set([...likely, ...known.filter((tile) => !lain.has(tile)).sort(), ...[...known].sort()])];
}

function chosen(data, cell) {
  const dialog = document.createElement("dialog");
  dialog.className = "tile-chooser";
  const title = document.createElement("h2");
  title.textContent = data.title.replace("…", cell);
  const grid = document.createElement("div");
  grid.className = "tile-grid";
  for (const tile of offered(data, cell)) {
    const button = choice(tile, tile === data.cells[cell]);
    button.innerHTML = `<svg class="tile" viewBox="-20.5 -17.9 41 35.8" aria-hidden="true"><use href="${data.sprite}#t${tile}" x="-20.5" y="-17.9" width="41" height="35.8"/></svg>`;
    button.setAttribute("aria-label", tile);
    grid.append(button);
  }
  const foot = document.createElement("div");
  foot.className = "buttons";
  if (data.how !== "line" && data.cells[cell]) foot.append(choice(NOTHING, false, data.nothing));
  foot.append(choice("", false, data.cancel));
  dialog.append(title, grid, foot);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-choice]");
      if (button || event.target === dialog) dialog.close(button?.dataset.choice ?? "");
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue || null);
    });
  });
}

function choice(value, current, text = "") {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.choice = value;
  button.textContent = text;
  if (current) button.setAttribute("aria-current", "true");
  return button;
}
