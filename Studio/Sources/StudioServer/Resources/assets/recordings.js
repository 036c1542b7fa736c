// A recording: figures where the mouse is, tables sorted by a column, and one that is being written as it grows.
export function showRecordings() {
  const content = document.querySelector("#recording-content");
  if (!content) return;
  decorate(content);
  if (content.dataset.liveEvents) follow(content);
}

function decorate(content) {
  showFigures(content);
  content.querySelectorAll(".sortable").forEach(sortByColumns);
}

function duration(seconds) {
  if (seconds >= 1) return seconds.toFixed(2) + " s";
  if (seconds >= 0.1) return (seconds * 1e3).toFixed(0) + " ms";
  if (seconds >= 0.001) return (seconds * 1e3).toFixed(1) + " ms";
  return (seconds * 1e6).toFixed(0) + " \u00b5s";
}

function showFigures(content) {
  const lanes = content.querySelector(".lanes");
  const chart = lanes?.querySelector("svg");
  if (!chart) return;
  const { step, lanes: rows } = JSON.parse(content.querySelector("[data-timeline]").dataset.timeline);
  const tip = content.querySelector("#tip");
  const cursor = content.querySelector("#cursor");
  lanes.addEventListener("mousemove", (event) => {
    const box = chart.getBoundingClientRect();
    const place = (event.clientX - box.left) / box.width;
    tip.hidden = cursor.hidden = place < 0 || place >= 1 || rows.length === 0;
    if (tip.hidden) return;
    const part = Math.floor(place * rows[0].counts.length);
    const lines = [`${duration(part * step)} to ${duration((part + 1) * step)}`];
    for (const row of rows) {
      if (row.counts[part] === 0 && row.seconds[part] === 0) continue;
      const title = lanes.querySelector(`[data-group="${row.group}"] .name`)?.textContent ?? row.group;
      lines.push(`${title}: ${row.counts[part]}, ${duration(row.seconds[part])}`);
    }
    tip.replaceChildren(...lines.map((text) => Object.assign(document.createElement("div"), { textContent: text })));
    cursor.style.left = event.clientX - lanes.getBoundingClientRect().left + "px";
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = event.clientY + 14 + "px";
  });
  lanes.addEventListener("mouseleave", () => (tip.hidden = cursor.hidden = true));
}

// Titles become buttons, so that the keyboard can sort, too.
function sortByColumns(table) {
  const heads = [...table.querySelectorAll("th")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const descends = head.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", descends ? "descending" : "ascending");
      const value = (row) => {
        const { dataset, textContent } = row.cells[column];
        return dataset.value === undefined ? textContent : Number(dataset.value);
      };
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [x, y] = [value(a), value(b)];
        return (x < y ? -1 : x > y ? 1 : 0) * (descends ? -1 : 1);
      });
      table.tBodies[0].append(...rows);
    });
  });
}

function follow(content) {
  const state = document.querySelector("#live-state");
  const pause = document.querySelector("#live-pause");
  const source = new EventSource(content.dataset.liveEvents);
  let isPaused = false, isBusy = false, isStale = false, hasEnded = false;
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
    state.textContent = isPaused ? "Paused." : hasEnded ? "It is not written any more." : "Being written: the page follows.";
    if (!isPaused) refresh();
  });
  source.onmessage = (event) => {
    isStale = true;
    if (!JSON.parse(event.data).isGrowing) {
      source.close();
      hasEnded = true;
      state.textContent = "It is not written any more.";
      pause.hidden = true;
      isPaused = false;
    }
    refresh();
  };

  async function refresh() {
    if (isBusy || isPaused || !isStale) return;
    isBusy = true;
    isStale = false;
    const begin = performance.now();
    try {
      const answer = await fetch(content.dataset.liveContent);
      if (answer.ok) replace(content, await answer.text());
    } catch {
      isStale = true;
    }
    // A long recording takes a while to be drawn: not more than a quarter of the time goes into that.
    setTimeout(() => {
      isBusy = false;
      if (isStale) refresh();
    }, Math.max(500, 3 * (performance.now() - begin)));
  }
}

// What was open stays open, and what had the focus has it.
function replace(content, html) {
  const all = (selector) => [...content.querySelectorAll(selector)];
  const key = (details) => details.querySelector("summary")?.querySelector("code, .function")?.textContent ?? "";
  const opened = new Map(all("details").map((details) => [key(details), details.open]));
  const focusable = "summary, button, a[href], [tabindex]";
  const place = all(focusable).indexOf(document.activeElement);
  content.innerHTML = html;
  decorate(content);
  for (const details of all("details")) if (opened.has(key(details))) details.open = opened.get(key(details));
  if (place >= 0) all(focusable)[place]?.focus({ preventScroll: true });
}
