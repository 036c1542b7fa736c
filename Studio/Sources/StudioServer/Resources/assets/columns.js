// Puts the columns that are chosen into their field.
export function chooseColumns() {
  for (const choices of document.querySelectorAll(".choices[data-for]")) {
    const field = document.getElementById(choices.dataset.for);
    choices.addEventListener("click", (event) => {
      const button = event.target.closest("[data-column]");
      if (!button) return;
      const names = field.value.split(",").map((name) => name.trim()).filter(Boolean);
      const at = names.indexOf(button.dataset.column);
      if (at < 0) names.push(button.dataset.column); else names.splice(at, 1);
      button.setAttribute("aria-pressed", String(at < 0));
      field.value = names.join(",");
    });
  }
}
