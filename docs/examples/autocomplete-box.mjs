// Makes a text field of a page a combobox: what is typed is asked of autocomplete-server.mjs, and the answer is shown in a list of groups,
// for the mouse, the keyboard and screen readers.

/** What the list shows of an answer: for each group its name and its options. Put the addresses of your shop here. */
function groupsOf({ suggestions, categories, products }, query) {
  const search = (text) => `/search?q=${encodeURIComponent(text)}`;
  const categoryUrl = (value) => `${search(query)}&category=${encodeURIComponent(value)}`;
  return {
    Suggestions: suggestions.map(({ text, nbHits }) => ({ text, note: nbHits, url: search(text) })),
    Categories: categories.map(({ value, count }) => ({ text: value, note: count, url: categoryUrl(value) })),
    Products: products.map(({ id, title, price }) => ({ html: title, note: price, url: `/products/${id}` })),
  };
}

/** `input`, `list` and `status` are elements of the page; `open` is called with the address of what was chosen. */
export function autocomplete({ input, list, status, open }) {
  let asking = new AbortController();
  const options = () => [...list.querySelectorAll("[role=option]")];
  const made = (tag, attributes, text = "") => {
    const element = Object.assign(document.createElement(tag), { textContent: text });
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  function close() {
    asking.abort();
    list.hidden = true;
    status.textContent = "";
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  /** Marks the option at a place; -1 is the field itself. The focus stays in the field. */
  function mark(place) {
    for (const [i, option] of options().entries()) option.setAttribute("aria-selected", String(i === place));
    const marked = options()[place];
    if (marked === undefined) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", marked.id);
    marked.scrollIntoView({ block: "nearest" });
  }

  function show(groups) {
    list.replaceChildren();
    for (const [name, items] of Object.entries(groups).filter(([, { length }]) => length > 0)) {
      const group = list.appendChild(made("div", { role: "group", "aria-label": name }));
      group.append(made("div", { class: "name", "aria-hidden": "true" }, name));
      for (const { text, html, note, url } of items) {
        const id = `option-${options().length}`;
        const option = group.appendChild(
          made("div", { role: "option", id, "aria-selected": "false", "data-url": url }),
        );
        option.append(made("span", {}, text), made("small", {}, note));
        if (html !== undefined) option.firstChild.innerHTML = html; // escaped by the engine
      }
    }
    const { length } = options();
    list.hidden = length === 0;
    input.setAttribute("aria-expanded", String(length > 0));
    input.removeAttribute("aria-activedescendant");
    status.textContent = length === 0 ? "Nothing found" : `${length} results, choose with the arrow keys`;
  }

  input.addEventListener("input", async () => {
    asking.abort(); // an answer to what was typed before must not come after
    const query = input.value.trim();
    if (query === "") return close();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const response = await fetch(`/typed?q=${encodeURIComponent(query)}`, { signal });
      if (response.ok) show(groupsOf(await response.json(), query));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  });

  input.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    const { length } = options();
    const place = options().findIndex(({ id }) => id === input.getAttribute("aria-activedescendant"));
    if (event.key === "ArrowDown") mark(place + 1 < length ? place + 1 : -1);
    else if (event.key === "ArrowUp") mark(place < 0 ? length - 1 : place - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && place >= 0) open(options()[place].dataset.url);
    else return;
    event.preventDefault();
  });

  input.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("[role=option]");
    if (option !== null) open(option.dataset.url);
  });
}
