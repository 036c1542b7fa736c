// A running program: its tree every two seconds, and its events as they come.
const shownRows = 300;

export function showRunning() {
  const content = document.querySelector("#running-content");
  if (!content) return;
  const state = document.querySelector("#running-state");
  const pause = document.querySelector("#running-pause");
  let isPaused = false;
  // A press that began on a link ends on the same link, or the browser makes no click of it.
  let isPressed = false;
  content.addEventListener("pointerdown", () => { isPressed = true; });
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => { isPressed = false; });
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
    state.textContent = isPaused ? "Paused." : "Waiting for events.";
  });
  refresh();
  listen();

  async function refresh() {
    if (!isPaused && !document.hidden && !content.contains(document.activeElement)) {
      try {
        const answer = await fetch(content.dataset.content);
        if (answer.status === 404) return end();
        const text = answer.ok ? await answer.text() : null;
        if (text !== null && !isPressed) content.innerHTML = text;
      } catch {
        return end();
      }
    }
    setTimeout(refresh, 2000);
  }

  function end() {
    state.textContent = "The program has ended, or listens no more.";
    pause.hidden = true;
  }

  function listen() {
    const table = document.querySelector("#running-events");
    const findings = document.querySelector("#running-findings");
    const source = new EventSource(table.dataset.feed);
    source.onerror = () => source.close();
    source.onmessage = (message) => {
      if (isPaused) return;
      const { rows, lost } = JSON.parse(message.data);
      state.textContent = lost > 0 ? `As they happen; ${lost.toLocaleString("en")} more than can be shown.` : "As they happen.";
      for (const row of rows) {
        if (row.kind === "finding") findings.prepend(finding(row));
        else table.prepend(line(row));
      }
      while (table.rows.length > shownRows) table.lastElementChild.remove();
      while (findings.children.length > 20) findings.lastElementChild.remove();
    };
  }
}

function line(row) {
  const line = document.createElement("tr");
  const time = new Date(row.time * 1000);
  const cells = [time.toLocaleTimeString("en-GB") + "." + String(time.getMilliseconds()).padStart(3, "0"), row.title, row.text, row.rows, row.duration];
  cells.forEach((text, index) => {
    const cell = document.createElement("td");
    cell.textContent = text;
    if (index === 1) cell.className = "kind " + row.kind;
    if (index === 2) cell.title = text;
    if (index > 2) cell.className = "n";
    line.append(cell);
  });
  return line;
}

function finding(row) {
  const article = document.createElement("article");
  article.className = "finding warning";
  const title = Object.assign(document.createElement("h3"), { textContent: row.text });
  const advice = Object.assign(document.createElement("p"), { textContent: `${row.advice} ${row.rows} rows, ${row.duration}.` });
  article.append(title, advice);
  return article;
}
