// The predicate bar: completion, and mistakes with their place, while one types.
export function completePredicates() {
  const form = document.querySelector("form[data-suggestions]");
  if (!form) return;
  const field = form.querySelector("#where");
  const list = form.querySelector("#suggestions");
  const mistake = document.getElementById("mistake");
  let suggestions = [];
  let selected = -1;
  let request = null;

  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", "suggestions");
  field.setAttribute("aria-expanded", "false");

  // Places are counted in characters as people see them; a field counts UTF-16 units.
  const characters = (text) => [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map((part) => part.segment);
  const units = (text, count) => characters(text).slice(0, count).join("").length;

  function close() {
    list.hidden = true;
    selected = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function select(index) {
    selected = index;
    [...list.children].forEach((item, number) => item.setAttribute("aria-selected", String(number === index)));
    if (index < 0) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", list.children[index].id);
    list.children[index].scrollIntoView({ block: "nearest" });
  }

  function take(index) {
    const { text, start, end } = suggestions[index];
    const value = field.value;
    const before = value.slice(0, units(value, start));
    const after = value.slice(units(value, end));
    const written = text + (text.endsWith(".") || text.endsWith("(") || after.startsWith(" ") ? "" : " ");
    field.value = before + written + after;
    field.selectionStart = field.selectionEnd = (before + written).length;
    close();
    ask();
  }

  function show(answer) {
    suggestions = answer.suggestions;
    list.replaceChildren(...suggestions.map((suggestion, index) => {
      const item = document.createElement("li");
      item.id = `suggestion-${index}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      const name = document.createElement("span");
      name.textContent = suggestion.text;
      const what = document.createElement("span");
      what.className = "what";
      what.textContent = suggestion.detail;
      item.append(name, what);
      item.addEventListener("mousedown", (event) => { event.preventDefault(); take(index); });
      return item;
    }));
    list.hidden = suggestions.length === 0;
    selected = -1;
    field.setAttribute("aria-expanded", String(!list.hidden));
    showMistake(answer.mistake);
  }

  function showMistake(found) {
    if (!found) return mistake.replaceChildren();
    const box = document.createElement("div");
    box.className = "failure";
    const text = document.createElement("p");
    text.textContent = found.message;
    const caret = document.createElement("pre");
    caret.textContent = found.caret;
    box.append(text, caret);
    mistake.replaceChildren(box);
  }

  async function ask() {
    request?.abort();
    request = new AbortController();
    const at = characters(field.value.slice(0, field.selectionStart)).length;
    const address = `${form.dataset.suggestions}?${new URLSearchParams({ text: field.value, at })}`;
    try {
      const answer = await fetch(address, { signal: request.signal, headers: { Accept: "application/json" } });
      if (answer.ok && document.activeElement === field) show(await answer.json());
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  }

  let timer = 0;
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 120); });
  field.addEventListener("click", ask);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (list.hidden) return ask();
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      select((selected + step + suggestions.length) % suggestions.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && selected >= 0 && !list.hidden) {
      event.preventDefault();
      take(selected);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
}
