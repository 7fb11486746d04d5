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
      const parts = input.value.toLowerCase().split(/\s+/).filter(Boolean);
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
  addEventListener('beforeprint', () => {
    const folded = document.querySelectorAll('details:not([open])');
    for (const each of folded) each.open = true;
    addEventListener('afterprint', () => {
      for (const each of folded) each.open = false;
    }, { once: true });
  });
})();
