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
  // The rows of a table, of which at most `most` are drawn at once.
  const shown = new Map();
  function draw(table) {
    const { rows, most, button } = shown.get(table);
    const found = rows.filter(row => !row.hidden);
    table.tBodies[0].replaceChildren(...found.slice(0, most));
    button.hidden = found.length <= most;
    button.textContent = `Show more; ${(found.length - most).toLocaleString('en')} are not shown`;
  }
  function sort(table, column, heading) {
    const isNumber = heading.classList.contains('number');
    const down = heading.ariaSort === 'ascending' ? -1 : 1;
    for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort');
    heading.ariaSort = down === 1 ? 'ascending' : 'descending';
    const state = shown.get(table);
    const rows = state.rows.map(row => [key(row.cells[column], isNumber), row]);
    const known = isNumber ? rows.filter(([value]) => !Number.isNaN(value)) : rows;
    const unknown = isNumber ? rows.filter(([value]) => Number.isNaN(value)) : [];
    known.sort((a, b) => down * compare(a[0], b[0], isNumber));
    state.rows = known.concat(unknown).map(([, row]) => row);
    draw(table);
  }
  // The filters stand in the address, so that a link keeps them.
  const address = new URLSearchParams(location.hash.slice(1));
  function remember(place, text) {
    if (text) address.set(place, text);
    else address.delete(place);
    history.replaceState(null, '', '#' + address);
  }
  // A word matches the start of a word, so that `valid` is not in `invalid`; `planner:lama` matches
  // in the columns whose headings start with `planner`.
  function matcher(headings, part) {
    const [, column, word] = /^(?:([^:]*):)?(.*)$/.exec(part);
    const start = text => new RegExp(
      '(?<![\\p{L}\\p{N}])' + text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'), 'u');
    const own = headings.map(text => Boolean(column) && text.startsWith(column));
    const isColumn = own.includes(true), wanted = start(isColumn ? word : part);
    return cells => cells.some((text, index) => (!isColumn || own[index]) && wanted.test(text));
  }
  function addColumns(table, frame) {
    const box = document.createElement('details');
    box.append(document.createElement('summary'));
    box.firstChild.textContent = 'Columns';
    for (const [column, heading] of Array.from(table.tHead.rows[0].cells).entries()) {
      const label = document.createElement('label'), input = document.createElement('input');
      input.type = 'checkbox';
      input.checked = true;
      input.addEventListener('change', () => {
        for (const row of [table.tHead.rows[0], ...shown.get(table).rows]) {
          row.cells[column].hidden = !input.checked;
        }
      });
      label.append(input, heading.textContent);
      box.append(label);
    }
    box.className = 'filter';
    frame.before(box);
  }
  function addFilter(table, frame, name, place) {
    const rows = shown.get(table).rows;
    const line = document.createElement('p');
    const label = document.createElement('label');
    const input = document.createElement('input');
    const count = document.createElement('output');
    line.className = 'filter';
    input.type = 'search';
    label.append('Filter: ', input);
    input.placeholder = 'word or column:word';
    input.ariaLabel = 'Filter the rows of: ' + name;
    count.ariaLive = 'polite';
    line.append(label, ' ', count);
    frame.before(line);
    if (table.tHead.rows[0].cells.length > 10) addColumns(table, frame);
    const lower = cells => Array.from(cells, cell => cell.textContent.trim().toLowerCase());
    let texts = null;
    function filter() {
      texts ??= rows.map(row => lower(row.cells));
      const headings = lower(table.tHead.rows[0].cells);
      const parts = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const tests = parts.map(part => matcher(headings, part));
      let left = 0;
      rows.forEach((row, index) => {
        row.hidden = !tests.every(test => test(texts[index]));
        left += !row.hidden;
      });
      draw(table);
      count.textContent = parts.length ? `${left} of ${rows.length} rows` : '';
      remember(place, input.value.trim());
    }
    input.addEventListener('input', filter);
    input.value = address.get(place) ?? '';
    if (input.value) filter();
  }
  function enhance(table, rows, place, most = Infinity) {
    const frame = table.parentElement;
    const near = frame.closest('details')?.querySelector('summary');
    const name = (table.caption ?? near ?? document.querySelector('h1')).textContent;
    frame.tabIndex = 0;
    frame.role = 'region';
    frame.ariaLabel = name;
    const more = document.createElement('button');
    more.className = 'more';
    more.addEventListener('click', () => { shown.get(table).most += most; draw(table); });
    frame.after(more);
    shown.set(table, { rows, most, button: more });
    more.hidden = true;
    if (table.tBodies[0].rows.length < rows.length) draw(table);
    if (rows.length < 2) return;
    for (const [column, heading] of Array.from(table.tHead.rows[0].cells).entries()) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...heading.childNodes);
      button.addEventListener('click', () => sort(table, column, heading));
      heading.append(button);
    }
    if (rows.length > 5) addFilter(table, frame, name, place);
  }
  // The rows of answers, from lines of JSON in the format of gzip, in base64.
  async function unpack(packed) {
    const bytes = (await fetch(`data:;base64,${packed}`)).body;
    const text = new Response(bytes.pipeThrough(new DecompressionStream('gzip'))).text();
    const lines = (await text).trim().split('\n');
    return lines.map(line => answerRow(JSON.parse(line)));
  }
  function answerRow({ id, model, verdict, errors, why, text, attempt, cost }) {
    const row = document.createElement('tr');
    const opened = document.createElement('details');
    const whole = document.createElement('pre');
    opened.append(document.createElement('summary'), whole);
    opened.firstChild.textContent = id;
    opened.addEventListener('toggle', () => { whole.textContent = text; }, { once: true });
    for (const content of [opened, model, verdict, errors, why, attempt, cost]) {
      const cell = document.createElement(row.cells.length ? 'td' : 'th');
      cell.append(content);
      row.append(cell);
    }
    row.cells[0].scope = 'row';
    row.cells[2].className = verdict === 'over budget' ? 'invalid' : verdict;
    row.cells[5].className = row.cells[6].className = 'number';
    return row;
  }
  const tables = document.querySelectorAll('div.wide > table, div.long > table');
  tables.forEach((table, index) => {
    if (table.id !== 'entries') enhance(table, Array.from(table.tBodies[0].rows), `table${index + 1}`);
  });
  const packed = document.getElementById('packed');
  if (packed) {
    const table = document.getElementById('entries');
    unpack(packed.textContent).then(rows => enhance(table, rows, 'answers', 200));
  }
  addEventListener('beforeprint', () => {
    const folded = document.querySelectorAll('main > details:not([open])');
    for (const each of folded) each.open = true;
    addEventListener('afterprint', () => {
      for (const each of folded) each.open = false;
    }, { once: true });
  });
})();
