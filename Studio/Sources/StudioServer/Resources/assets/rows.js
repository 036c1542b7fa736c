// Scrolls through a table of any length: rows are fetched for the place that is looked at.
import { showLocalTimes } from "./times.js";

const height = 30;
// Browsers draw nothing beyond some tens of millions of pixels: longer tables are scrolled faster than they are.
const most = 6_000_000;

// Asks how many there are, where the page did not wait for that. Without an answer the page stays one with links to the next.
async function count(grid) {
  try {
    const answer = await fetch(grid.dataset.count);
    if (!answer.ok) return false;
    const { total, text } = await answer.json();
    grid.dataset.total = total;
    grid.querySelector("table").setAttribute("aria-rowcount", total);
    document.getElementById("total").textContent = text;
    return true;
  } catch {
    return false;
  }
}

export async function scrollRows() {
  const grid = document.querySelector(".grid[data-rows]");
  if (!grid) return;
  if (grid.dataset.count && !(await count(grid))) return;
  const total = Number(grid.dataset.total);
  const page = Number(grid.dataset.page);
  if (total <= page) return;
  const table = grid.querySelector("table");
  const body = table.tBodies[0];
  const range = document.getElementById("range");
  const spacer = document.createElement("div");
  spacer.className = "spacer";
  grid.classList.add("scrolling");
  document.querySelector(".pages")?.remove();
  table.before(spacer);
  spacer.append(table);

  const head = () => table.tHead.offsetHeight;
  const whole = Math.min(total * height + 60, most);
  spacer.style.height = `${whole}px`;
  let first = Number(grid.dataset.offset);
  let request = null;
  let timer = 0;

  // The row at the top, for a place of the scroll bar; and the other way round.
  const visible = () => Math.max(Math.floor((grid.clientHeight - head()) / height), 1);
  const travel = () => Math.max(whole - grid.clientHeight, 1);
  const rowAt = (top) => Math.round((top / travel()) * Math.max(total - visible(), 0));
  const topOf = (row) => (row / Math.max(total - visible(), 1)) * travel();

  function place() {
    const row = rowAt(grid.scrollTop);
    table.style.top = `${Math.max(grid.scrollTop - (row - first) * height, 0)}px`;
    const last = Math.min(row + visible(), total);
    range.textContent = `${(row + 1).toLocaleString("en")} to ${last.toLocaleString("en")}`;
    return row;
  }

  async function load(from) {
    request?.abort();
    request = new AbortController();
    grid.setAttribute("aria-busy", "true");
    const separator = grid.dataset.rows.includes("?") ? "&" : "?";
    try {
      const answer = await fetch(`${grid.dataset.rows}${separator}from=${from}`, { signal: request.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const rows = document.createElement("tbody");
      // Made by the server, which escapes whatever comes from the store.
      rows.innerHTML = await answer.text();
      body.replaceChildren(...rows.children);
      showLocalTimes(body);
      first = from;
      grid.removeAttribute("aria-busy");
      place();
      const address = new URL(location);
      const row = rowAt(grid.scrollTop);
      if (row > 0) address.searchParams.set("from", row); else address.searchParams.delete("from");
      history.replaceState(null, "", address);
    } catch (error) {
      if (error.name !== "AbortError") grid.removeAttribute("aria-busy");
    }
  }

  function look() {
    const row = place();
    const isThere = row >= first && row + visible() <= Math.min(first + body.rows.length, total);
    if (isThere) return;
    clearTimeout(timer);
    const from = Math.max(Math.min(row - Math.floor((page - visible()) / 2), total - page), 0);
    timer = setTimeout(() => load(from), 40);
  }

  grid.scrollTop = topOf(first);
  place();
  grid.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(grid);
  grid.addEventListener("keydown", (event) => {
    const steps = { PageDown: visible() - 1, PageUp: 1 - visible(), ArrowDown: 1, ArrowUp: -1 };
    if (event.target !== grid) return;
    let row = null;
    if (event.key in steps) row = rowAt(grid.scrollTop) + steps[event.key];
    if (event.key === "Home") row = 0;
    if (event.key === "End") row = total;
    if (row === null) return;
    event.preventDefault();
    grid.scrollTop = topOf(Math.min(Math.max(row, 0), Math.max(total - visible(), 0)));
  });
}
