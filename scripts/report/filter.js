// SPDX-License-Identifier: MIT
// Rows of long tables can be chosen, by words and by verdict, section by section. Without this script the page is
// whole: it makes the controls itself.
"use strict";
const LONG = 12; // rows of a section from which on it gets controls

function control(form, words, element) {
  const label = document.createElement("label");
  label.append(words + " ", element);
  form.append(label);
  return element;
}

function verdicts(rows) {
  const found = new Map();
  for (const cell of rows.flatMap(row => [...row.cells]))
    if (cell.className) found.set(cell.className, cell.textContent.split(":")[0]);
  return found;
}

function choice(found) {
  const select = document.createElement("select");
  select.add(new Option("any", ""));
  for (const [kind, words] of found) select.add(new Option(words, kind));
  return select;
}

function addFilter(section) {
  const tables = [...section.querySelectorAll("table.filtered")];
  const rows = tables.flatMap(table => [...table.tBodies[0].rows]);
  if (rows.length < LONG) return;
  const form = document.createElement("form");
  form.className = "filter";
  const words = control(form, "Only rows with", document.createElement("input"));
  words.type = "search";
  const found = verdicts(rows);
  const kind = found.size ? control(form, "and the verdict", choice(found)) : null;
  const shown = form.appendChild(document.createElement("output"));
  const apply = () => {
    const asked = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.replaceAll("\u00a0", " ").toLowerCase();
      row.hidden = !asked.every(word => text.includes(word))
        || Boolean(kind && kind.value && !row.querySelector("td." + kind.value));
    }
    for (const table of tables)
      table.parentElement.hidden = [...table.tBodies[0].rows].every(row => row.hidden);
    shown.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} rows`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", event => event.preventDefault());
  tables[0].parentElement.before(form);
  apply();
}

document.querySelectorAll("section").forEach(addFilter);
