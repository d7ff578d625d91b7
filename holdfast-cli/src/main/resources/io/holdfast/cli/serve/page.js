'use strict';

const ROW = 34;
const MOST_EVENTS = 30;
const COLUMNS = [
  ['name', 'Name', ''], ['mode', 'Mode', 'mode'], ['holder', 'Holder', ''],
  ['since', 'Held', 'number'], ['ends', 'Left', 'number left'], ['waiters', 'Waiting', 'number'],
];

const at = (id) => document.getElementById(id);
const locks = new Map();
const events = new Map();
let order = { key: 'name', up: true };
let shown = [];
let chosen = null;
let open = null;
let painting = false;

// --- texts ---

function shortly(millis) {
  if (millis === null) return '-';
  const pair = (a, unit, b, small) => a + unit + String(b).padStart(2, '0') + small;
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) return (Math.max(0, millis) / 1000).toFixed(1) + 's';
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'm', seconds % 60, 's');
  if (seconds < 86400) return pair(Math.floor(seconds / 3600), 'h', Math.floor(seconds % 3600 / 60), 'm');
  return pair(Math.floor(seconds / 86400), 'd', Math.floor(seconds % 86400 / 3600), 'h');
}

// A name is text, and its control characters are shown.
function printable(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

const held = (lock) => lock.since === null ? null : Date.now() - Date.parse(lock.since);
const left = (lock) => lock.ends === null ? null : Math.max(0, Date.parse(lock.ends) - Date.now());

function cellText(lock, key) {
  switch (key) {
    case 'since': return shortly(held(lock));
    case 'ends': return shortly(left(lock));
    case 'name': return printable(lock.name);
    default: return String(lock[key]);
  }
}

function element(tag, text, classes) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (classes) made.className = classes;
  return made;
}

// --- the table ---

function sortValue(lock) {
  switch (order.key) {
    case 'since': return held(lock) ?? -1;
    case 'ends': return left(lock) ?? Infinity;
    case 'waiters': return lock.waiters;
    default: return lock[order.key];
  }
}

function choose() {
  const sought = at('search').value.toLowerCase();
  const found = [];
  for (const lock of locks.values()) {
    if (!sought || printable(lock.name).toLowerCase().includes(sought) || lock.holder.toLowerCase().includes(sought)) {
      found.push([sortValue(lock), lock]);
    }
  }
  const sign = order.up ? 1 : -1;
  found.sort((a, b) => a[0] < b[0] ? -sign : a[0] > b[0] ? sign : a[1].name < b[1].name ? -1 : 1);
  shown = found.map((pair) => pair[1]);
  at('all').style.height = shown.length * ROW + 'px';
  at('table').setAttribute('aria-rowcount', String(shown.length + 1));
  at('empty').hidden = shown.length > 0;
  at('empty').textContent = locks.size === 0 ? 'No lock is held.' : 'No lock of this name or holder.';
  paint();
}

// Only the rows that can be seen exist.
function paint() {
  painting = false;
  const rows = at('rows');
  const first = Math.max(0, Math.floor(rows.scrollTop / ROW) - 5);
  const end = Math.min(shown.length, Math.ceil((rows.scrollTop + rows.clientHeight) / ROW) + 5);
  const made = [];
  for (let i = first; i < end; i++) {
    const lock = shown[i];
    const row = element('div', undefined, 'row');
    row.setAttribute('role', 'row');
    row.setAttribute('aria-rowindex', String(i + 2));
    row.setAttribute('aria-selected', String(lock.name === chosen));
    row.style.top = i * ROW + 'px';
    row.dataset.index = String(i);
    for (const [key, , classes] of COLUMNS) {
      const text = cellText(lock, key);
      const more = key === 'mode' ? ' ' + lock.mode : key === 'waiters' && lock.waiters > 0 ? ' waited' : key === 'name' ? ' name' : '';
      const cell = element('span', text, classes + more);
      cell.setAttribute('role', 'cell');
      cell.title = text;
      row.append(cell);
    }
    made.push(row);
  }
  at('all').replaceChildren(...made);
  // The head has no scroll bar, and its columns stand above those that have one beside them.
  at('head').style.marginRight = rows.offsetWidth - rows.clientWidth + 'px';
}

function paintSoon() {
  if (!painting) {
    painting = true;
    requestAnimationFrame(paint);
  }
}

function head() {
  at('head').replaceChildren(...COLUMNS.map(([key, title, classes]) => {
    const sorted = order.key === key;
    const cell = element('span', undefined, classes);
    cell.setAttribute('role', 'columnheader');
    cell.setAttribute('aria-sort', sorted ? (order.up ? 'ascending' : 'descending') : 'none');
    const button = element('button', title + (sorted ? (order.up ? ' \u2191' : ' \u2193') : ''));
    button.type = 'button';
    button.addEventListener('click', () => {
      // The longest times and the most waiters first.
      const greatestFirst = key === 'since' || key === 'waiters';
      order = sorted ? { key, up: !order.up } : { key, up: !greatestFirst };
      head();
      choose();
      at('head').children[COLUMNS.findIndex((column) => column[0] === key)].firstChild.focus();
    });
    cell.append(button);
    return cell;
  }));
}

function select(index) {
  if (shown.length === 0) return;
  const bounded = Math.max(0, Math.min(shown.length - 1, index));
  chosen = shown[bounded].name;
  const rows = at('rows');
  if (bounded * ROW < rows.scrollTop) rows.scrollTop = bounded * ROW;
  if ((bounded + 1) * ROW > rows.scrollTop + rows.clientHeight) rows.scrollTop = (bounded + 1) * ROW - rows.clientHeight;
  paint();
}

// --- one lock ---

async function inspect(name) {
  const changed = open !== name;
  open = name;
  at('lock').hidden = false;
  at('name').textContent = printable(name);
  if (changed) at('facts').replaceChildren();
  tellEvents();
  try {
    const answer = await fetch('lock?name=' + encodeURIComponent(name));
    if (open !== name) return;
    if (!answer.ok) {
      facts([['unknown', await answer.text()]]);
    } else {
      facts(factsOf(await answer.json()));
    }
  } catch (gone) {
    if (open === name) facts([['unknown', 'the tool does not answer']]);
  }
}

function factsOf(lock) {
  const rows = [['lock', lock.mode]];
  if (lock.leftMillis !== null) rows.push(['left', shortly(lock.leftMillis) + ' if it is not renewed']);
  for (const holder of lock.holders) {
    rows.push(['holder', holder.host === null ? holder.owner
      : (holder.application ? holder.application + '@' : '') + holder.host + ':' + holder.pid]);
    rows.push(['owner', holder.owner]);
    if (holder.since !== null) rows.push(['since', new Date(holder.since).toLocaleString() + ', ' + shortly(Date.now() - Date.parse(holder.since))]);
    if (holder.token !== null) rows.push(['token', String(holder.token)]);
    if (holder.levels !== 1) rows.push(['levels', String(holder.levels)]);
    if (holder.reads) rows.push(['reads', 'yes']);
  }
  lock.queue.forEach((owner, i) => rows.push([i === 0 ? 'queue' : '', (i + 1) + '. ' + owner]));
  rows.push(['listeners', String(lock.listeners)]);
  if (lock.semaphore !== null) rows.push(['semaphore', lock.semaphore.taken + ' of ' + lock.semaphore.limit + ' permits taken']);
  if (lock.latch !== null) rows.push(['latch', lock.latch + ' to go']);
  if (lock.leader !== null) rows.push(['leader', lock.leader.id + ', term ' + lock.leader.term]);
  return rows;
}

function facts(rows) {
  at('facts').replaceChildren(...rows.flatMap(([label, text]) => [element('dt', label), element('dd', printable(text))]));
}

function tellEvents() {
  const told = events.get(open) ?? [];
  at('events').replaceChildren(...told.map(([when, text]) => {
    const item = element('li');
    item.append(element('time', when), printable(text));
    return item;
  }));
}

function close() {
  open = null;
  at('lock').hidden = true;
  at('rows').focus();
}

function note(name, text) {
  const told = events.get(name) ?? [];
  told.unshift([new Date().toLocaleTimeString(), text]);
  told.length = Math.min(told.length, MOST_EVENTS);
  events.set(name, told);
}

function compare(before, now) {
  if (!before) {
    note(now.name, 'taken by ' + now.holder);
  } else if (before.holder !== now.holder || before.since !== now.since) {
    note(now.name, (before.waiters > 0 ? 'handed on to ' : 'taken by ') + now.holder);
  } else if (before.waiters !== now.waiters) {
    note(now.name, now.waiters + ' waiting');
  }
}

// --- the feed ---

function told(message) {
  if (message.all) {
    locks.clear();
  }
  for (const lock of message.locks) {
    if (!message.all) compare(locks.get(lock.name), lock);
    locks.set(lock.name, lock);
  }
  for (const name of message.gone) {
    note(name, 'released, or its lease ended');
    locks.delete(name);
  }
  const most = Math.max(0, ...Array.from(locks.values(), (lock) => lock.waiters));
  at('state').className = message.trouble ? 'gone' : 'live';
  at('state').textContent = locks.size + (locks.size === 1 ? ' lock' : ' locks') + (most > 0 ? ', up to ' + most + ' waiting for one' : '');
  at('trouble').hidden = !message.trouble;
  at('trouble').textContent = message.trouble ? 'The servers were not asked, and this is what was seen last: ' + message.trouble : '';
  const nodes = new Map();
  for (const each of message.nodes) {
    nodes.set(each.node, (nodes.get(each.node) ?? true) && each.up);
  }
  at('nodes').replaceChildren(...Array.from(nodes, ([node, up]) => element('span', node + (up ? '' : ' is not connected'), up ? '' : 'down')));
  choose();
  if (open !== null) inspect(open);
}

function listen() {
  const feed = new EventSource('feed');
  feed.onmessage = (message) => told(JSON.parse(message.data));
  feed.onerror = () => {
    at('state').className = 'gone';
    at('state').textContent = 'the tool does not answer';
  };
}

at('search').addEventListener('input', choose);
at('rows').addEventListener('scroll', paintSoon);
at('close').addEventListener('click', close);
window.addEventListener('resize', paintSoon);
at('all').addEventListener('click', (event) => {
  const row = event.target.closest('.row');
  if (row) {
    select(Number(row.dataset.index));
    inspect(chosen);
  }
});
at('rows').addEventListener('keydown', (event) => {
  const page = Math.floor(at('rows').clientHeight / ROW) - 1;
  const index = shown.findIndex((lock) => lock.name === chosen);
  const steps = { ArrowDown: index + 1, ArrowUp: Math.max(0, index - 1), PageDown: index + page, PageUp: index - page, Home: 0, End: shown.length - 1 };
  if (event.key in steps) {
    event.preventDefault();
    select(steps[event.key]);
  } else if (event.key === 'Enter' && chosen !== null) {
    inspect(chosen);
  }
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== at('search')) {
    event.preventDefault();
    at('search').focus();
  } else if (event.key === 'Escape' && open !== null) {
    close();
  }
});
// Times go on between two messages.
setInterval(paintSoon, 500);
head();
choose();
listen();
