// The search, the theme and the buttons of code. Every page can be read without it.
const root = document.currentScript?.dataset.root ?? document.querySelector("script[data-root]").dataset.root;

const theme = document.getElementById("Theme");
const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
const showTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; };
theme.hidden = false;
theme.onclick = () => {
  localStorage.theme = document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  showTheme();
};
showTheme();

for (const block of document.querySelectorAll("main pre")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  button.onclick = async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  const frame = document.createElement("div");
  frame.className = "code";
  block.replaceWith(frame);
  frame.append(block, button);
}

const here = document.querySelector("nav [aria-current]");
if (here) here.closest("nav").scrollTop = here.offsetTop - 240;

const input = document.getElementById("Search");
const results = document.getElementById("Results");
let selected = -1;
input.parentElement.hidden = false;

// Loaded when somebody begins to search: it has the text of all pages.
const load = () => {
  if (!document.getElementById("Index")) {
    const script = document.createElement("script");
    script.id = "Index";
    script.src = root + "search-index.js";
    script.onload = search;
    document.head.append(script);
  }
};

function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (const [rank, address, page, heading, text] of words.length ? window.searchIndex ?? [] : []) {
    let score = -6 * rank;
    const fields = [page.toLowerCase(), heading.toLowerCase(), text.toLowerCase()];
    for (const word of words) {
      const points = (fields[1].includes(word) ? 8 : 0) + (fields[0].includes(word) ? (heading ? 3 : 9) : 0)
          + Math.min(3, fields[2].split(word).length - 1);
      score = points ? score + points : -Infinity;
    }
    if (score > -Infinity) found.push({ score, address, page, heading, text });
  }
  found.sort((a, b) => b.score - a.score);
  results.replaceChildren(...found.slice(0, 12).map((each, i) => option(each, words, i)));
  if (words.length && !found.length && window.searchIndex) results.append(element("li", "none", "Nothing found"));
  results.hidden = !results.childElementCount;
  input.setAttribute("aria-expanded", String(!results.hidden));
  select(found.length ? 0 : -1);
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function option({ address, page, heading, text }, words, i) {
  const item = document.createElement("li");
  item.id = "Result-" + i;
  item.role = "option";
  const link = element("a", "", "");
  link.href = root + address;
  link.tabIndex = -1;
  link.append(element("b", "", heading ? page + " \u203a " + heading : page));
  const at = Math.max(0, Math.min(...words.map(word => text.toLowerCase().indexOf(word)).filter(at => at >= 0), text.length) - 40);
  const excerpt = element("span", "", "");
  const marks = new RegExp("(" + words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") + ")", "i");
  (at ? "\u2026" + text.slice(at, at + 140) : text.slice(0, 140)).split(marks)
      .forEach((part, n) => excerpt.append(n % 2 ? element("mark", "", part) : part));
  link.append(excerpt);
  item.append(link);
  return item;
}

function select(next) {
  const options = [...results.querySelectorAll("[role=option]")];
  selected = options.length ? (next + options.length) % options.length : -1;
  options.forEach((each, i) => each.setAttribute("aria-selected", String(i === selected)));
  input.setAttribute("aria-activedescendant", selected < 0 ? "" : options[selected].id);
  options[selected]?.scrollIntoView({ block: "nearest" });
}

const close = () => {
  results.hidden = true;
  input.setAttribute("aria-expanded", "false");
};
input.onfocus = load;
input.oninput = search;
input.onkeydown = event => {
  if (event.key === "ArrowDown") select(selected + 1);
  else if (event.key === "ArrowUp") select(selected - 1);
  else if (event.key === "Enter") results.querySelector("[aria-selected=true] a")?.click();
  else if (event.key === "Escape") { close(); input.blur(); }
  else return;
  event.preventDefault();
};
results.onclick = close;
document.addEventListener("click", event => { if (!input.parentElement.contains(event.target)) close(); });
document.addEventListener("keydown", event => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) {
    event.preventDefault();
    input.focus();
    input.select();
  }
});
