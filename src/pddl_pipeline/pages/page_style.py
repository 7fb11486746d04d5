"""The style and the script of every page: light and dark, wide and narrow, without a network."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --pale: #555; --line: #ddd;
        --rule: #888; --gap: #fff3d6; --link: #0b57a4; --alarm: #a40000; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #16181b; --pale: #b4b8bd; --line: #3a3e44; --rule: #7d838b;
          --gap: #4a3a10; --link: #8ec7ff; --alarm: #ff9c8f; } }
* { box-sizing: border-box; }
body { font: 13px/1.5 system-ui, sans-serif; max-width: 92rem; margin: 1rem auto; padding: 0 1rem;
       color: var(--ink); background: var(--paper); overflow-wrap: break-word; }
a { color: var(--link); }
h1 { font-size: 1.7rem; line-height: 1.2; }
div.long { margin: 1rem 0 2rem; max-width: 70rem; overflow-x: auto; }
div.facts { margin: 1rem 0 2rem; max-width: 70rem; }
div.facts td { overflow-wrap: anywhere; }
div.wide { overflow-x: auto; margin: 1rem 0 2rem; }
div.wide:focus-visible, div.long:focus-visible { outline: 2px solid var(--link); }
table { border-collapse: collapse; }
caption { text-align: left; font-weight: 600; padding: .3rem .4rem; }
th, td { padding: .3rem .4rem; border-bottom: 1px solid var(--line); text-align: left;
         vertical-align: top; font-weight: normal; }
thead th { border-bottom: 2px solid var(--rule); vertical-align: bottom; font-weight: 600; }
div.wide tr > :nth-child(-n+3) { white-space: nowrap; }
tbody th { position: sticky; left: 0; background: var(--paper); }
div.facts tbody th { white-space: nowrap; }
td a { white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.gap > *, tr.gap th { background: var(--gap); }
p.note { color: var(--pale); max-width: 50rem; }
p.alarm { color: var(--alarm); font-weight: 600; }
summary { cursor: pointer; margin: 1rem 0; }
summary h2, summary h3 { display: inline; font-size: 1.3rem; }
figure { margin: 1rem 0 2rem; }
img { max-width: 100%; height: auto; background: #fff; }
code { overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .5rem;
      background: color-mix(in srgb, var(--ink) 6%, transparent); }
thead button { all: unset; cursor: pointer; }
thead button:focus-visible { outline: 2px solid var(--link); }
thead button::after { content: "\\a0\\2195"; color: var(--pale); }
th[aria-sort=ascending] button::after { content: "\\a0\\2191"; color: inherit; }
th[aria-sort=descending] button::after { content: "\\a0\\2193"; color: inherit; }
p.filter { margin: 1rem 0 0; }
p.filter input { font: inherit; max-width: 100%; padding: .2rem .4rem; color: inherit;
                 background: var(--paper); border: 1px solid var(--rule); }
"""

SCRIPT: Final = """
'use strict';
(() => {
  const words = new Intl.Collator('en', { numeric: true });
  const key = (cell, isNumber) => {
    const text = cell.textContent.trim();
    if (!isNumber) return text;
    const [above, below] = text.replace(/^</, '').replaceAll(',', '').split('/');
    return parseFloat(above) / (below ? parseFloat(below) : 1);
  };
  const compare = (a, b, isNumber) => isNumber ? a - b : words.compare(a, b);
  function sort(table, column, heading) {
    const isNumber = heading.classList.contains('number');
    const down = heading.ariaSort === 'ascending' ? -1 : 1;
    for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort');
    heading.ariaSort = down === 1 ? 'ascending' : 'descending';
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, row => [key(row.cells[column], isNumber), row]);
    const known = isNumber ? rows.filter(([value]) => !Number.isNaN(value)) : rows;
    const unknown = isNumber ? rows.filter(([value]) => Number.isNaN(value)) : [];
    known.sort((a, b) => down * compare(a[0], b[0], isNumber));
    body.append(...known.concat(unknown).map(([, row]) => row));
  }
  function addFilter(table, frame, name) {
    const rows = Array.from(table.tBodies[0].rows);
    const line = document.createElement('p');
    const label = document.createElement('label');
    const input = document.createElement('input');
    const count = document.createElement('output');
    line.className = 'filter';
    input.type = 'search';
    label.append('Filter: ', input);
    input.ariaLabel = 'Filter the rows of: ' + name;
    count.ariaLive = 'polite';
    line.append(label, ' ', count);
    frame.before(line);
    let texts = null;
    input.addEventListener('input', () => {
      texts ??= rows.map(row => row.textContent.toLowerCase());
      const parts = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, index) => {
        row.hidden = !parts.every(part => texts[index].includes(part));
        shown += !row.hidden;
      });
      count.textContent = parts.length ? `${shown} of ${rows.length} rows` : '';
    });
  }
  for (const table of document.querySelectorAll('div.wide > table, div.long > table')) {
    const frame = table.parentElement;
    const near = frame.closest('details')?.querySelector('summary');
    const name = (table.caption ?? near ?? document.querySelector('h1')).textContent;
    frame.tabIndex = 0;
    frame.role = 'region';
    frame.ariaLabel = name;
    const body = table.tBodies[0];
    if (!body || body.rows.length < 2) continue;
    for (const [column, heading] of Array.from(table.tHead.rows[0].cells).entries()) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...heading.childNodes);
      button.addEventListener('click', () => sort(table, column, heading));
      heading.append(button);
    }
    if (body.rows.length > 5) addFilter(table, frame, name);
  }
})();
"""
