// Everything is there without this: it only shows figures where the mouse is, and sorts tables.
"use strict";
const recording = JSON.parse(document.getElementById("recording").textContent);

function duration(seconds) {
  if (seconds >= 1) return seconds.toFixed(2) + " s";
  if (seconds >= 0.1) return (seconds * 1e3).toFixed(0) + " ms";
  if (seconds >= 0.001) return (seconds * 1e3).toFixed(1) + " ms";
  return (seconds * 1e6).toFixed(0) + " \u00b5s";
}

const lanes = document.querySelector(".lanes");
const tip = document.getElementById("tip");
const cursor = document.getElementById("cursor");
const chart = lanes.querySelector("svg");

function line(text) {
  const div = document.createElement("div");
  div.textContent = text;
  return div;
}

lanes.addEventListener("mousemove", (event) => {
  if (!chart) return;
  const box = chart.getBoundingClientRect();
  const place = (event.clientX - box.left) / box.width;
  tip.hidden = cursor.hidden = place < 0 || place >= 1;
  if (tip.hidden) return;
  const { step, lanes: rows } = recording.timeline;
  const part = Math.floor(place * rows[0].counts.length);
  const lines = [line(duration(part * step) + " to " + duration((part + 1) * step))];
  for (const row of rows) {
    if (row.counts[part] === 0 && row.seconds[part] === 0) continue;
    const title = lanes.querySelector(`[data-group="${row.group}"] .name`).textContent;
    lines.push(line(`${title}: ${row.counts[part]}, ${duration(row.seconds[part])}`));
  }
  tip.replaceChildren(...lines);
  cursor.style.left = event.clientX - lanes.getBoundingClientRect().left + "px";
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  tip.style.left = left + "px";
  tip.style.top = event.clientY + 14 + "px";
});
lanes.addEventListener("mouseleave", () => { tip.hidden = cursor.hidden = true; });

for (const table of document.querySelectorAll(".sortable")) {
  table.querySelectorAll("th").forEach((head, column) => {
    head.addEventListener("click", () => {
      const descends = head.getAttribute("aria-sort") !== "descending";
      table.querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descends ? "descending" : "ascending");
      const value = (row) => {
        const cell = row.cells[column];
        return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
      };
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        return (x < y ? -1 : x > y ? 1 : 0) * (descends ? -1 : 1);
      });
      body.append(...rows);
    });
  });
}
document.documentElement.dataset.ready = "yes";
