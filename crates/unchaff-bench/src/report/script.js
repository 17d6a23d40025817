"use strict";
// Sorting, filtering and lighting up the same technique everywhere. Everything else is there without a script.
for (const table of document.querySelectorAll("table.sorts")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending" && !(head.classList.contains("t") && !head.hasAttribute("aria-sort"));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
      };
      const empty = (value) => value === "–" || Number.isNaN(value);
      const compare = (a, b) => (typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b)) : a - b);
      const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => empty(a) - empty(b) || (down ? compare(b, a) : compare(a, b)));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  });
}

const light = (event) => {
  const technique = event.target.closest?.("[data-t]")?.dataset.t;
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (technique !== undefined) for (const same of document.querySelectorAll(`[data-t="${technique}"]`)) same.classList.add("lit");
};
document.addEventListener("pointerover", light);

const list = document.querySelector("nav ul");
if (list && document.querySelector("tr[data-t]")) {
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = "techniques";
  input.setAttribute("aria-label", "Show techniques whose name has this");
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const row of document.querySelectorAll("tr[data-t]")) {
      row.hidden = !row.querySelector("th").textContent.toLowerCase().includes(wanted);
    }
  });
  const item = document.createElement("li");
  item.append(input);
  list.append(item);
}
