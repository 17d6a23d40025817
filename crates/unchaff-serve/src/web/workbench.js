// Annotating pages: a client of /v1/annotation. The page of others is in a frame without scripts; we look into it from outside. Whatever comes from it is
// written as text. Each element has its number in data-n; what is said about a page is said by these numbers, and of parts of texts by the characters of the
// text that stands directly in an element.
"use strict";

const $ = (id) => document.getElementById(id);
const LABELS = ["content", "template", "menu", "comments", "ads", "other", "segment1", "segment2"];
// Classes of elements, by their numbers in `said.classes`.
const CLASSES = ["template", "content", "comments", "other"];
const MOST_UNDONE = 200;
const STYLE = `
  [data-l~=content] { background-color: #c9ecd3 !important; background-image: none !important; color: #111 !important }
  [data-l~=comments] { background-color: #ffe2a8 !important; background-image: none !important; color: #111 !important }
  [data-l~=other] { background-color: #e6d3f2 !important; background-image: none !important; color: #111 !important }
  [data-l~=template] { background-color: #fff !important; color: #333 !important }
  [data-l~=ads] { box-shadow: inset 0 0 0 2px #d22d2d !important }
  [data-l~=menu] { outline: 3px solid #2477d4 !important }
  [data-l~=segment1] { outline: 3px solid #0e8f8f !important; outline-offset: -1px }
  [data-l~=segment2] { outline: 2px dashed #0e8f8f !important; outline-offset: -2px }
  [data-l~=differs] { box-shadow: inset 0 0 0 3px #e6007a !important }
  [data-l~=unpainted] { text-decoration: underline dotted #555 !important }
  ::highlight(content) { background-color: #7fd396; color: #111 }
  ::highlight(comments) { background-color: #ffc65c; color: #111 }
  ::highlight(other) { background-color: #c79fe0; color: #111 }
  ::highlight(template) { background-color: #fff; color: #555 }
  ::highlight(ads) { text-decoration: underline wavy #d22d2d 2px }
  [data-was] { display: inline-block; min-width: 24px; min-height: 16px; background: repeating-linear-gradient(45deg, #ddd 0 6px, #eee 6px 12px); outline: 1px dotted #888 }
  [data-here] { outline: 3px solid #111 !important; outline-offset: 1px; cursor: crosshair }
  [data-hover] { outline: 2px dotted #111 !important; cursor: crosshair }
  * { cursor: crosshair; scroll-behavior: auto !important }`;

const state = { pages: [], at: -1, page: null, said: null, undo: [], redo: [], saved: "", nodes: [], here: null, turn: 0 };
let token = sessionStorage.getItem("token");

// --- asking

class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function ask(method, path, query = {}, body) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const search = new URLSearchParams(query).toString();
  const reply = await fetch(path + (search && `?${search}`), { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (reply.status === 401) {
    await askForToken();
    return ask(method, path, query, body);
  }
  if (!reply.ok) {
    let detail = `${reply.status} ${reply.statusText}`;
    try {
      detail = (await reply.json()).detail;
    } catch {
      // No problem document: what the status says is all there is.
    }
    throw new Refused(detail, reply.status);
  }
  return reply.status === 204 ? null : reply.json();
}

let asking = null;
function askForToken() {
  asking ??= new Promise((done) => {
    const dialog = $("token-dialog");
    dialog.addEventListener("close", () => {
      token = $("token").value;
      sessionStorage.setItem("token", token);
      asking = null;
      done();
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

function tell(text, bad = false) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

// What is asked for by a person: whatever goes wrong is told.
const doing = (work) => async (...given) => {
  try {
    return await work(...given);
  } catch (error) {
    tell(error instanceof Refused ? error.message : `The service does not answer: ${error.message}`, true);
  }
};

// --- what is said

const nothing = (elements) => ({ classes: new Uint8Array(elements), ads: new Uint8Array(elements), menu: null, segments: new Map(), texts: new Map() });
// Lists of parts are replaced and never changed, so that they need not be copied.
const copy = ({ classes, ads, menu, segments, texts }) => ({ classes: classes.slice(), ads: ads.slice(), menu, segments: new Map(segments), texts: new Map(texts) });

function ranges(flags, wanted) {
  const found = [];
  flags.forEach((flag, number) => {
    if (flag !== wanted) return;
    const last = found.at(-1);
    if (last && last[1] === number) last[1] += 1;
    else found.push([number, number + 1]);
  });
  return found;
}

function read(annotation, elements) {
  const said = nothing(elements);
  for (const [from, to] of annotation.other) said.classes.fill(3, from, to);
  for (const [from, to] of annotation.comments) said.classes.fill(2, from, to);
  for (const [from, to] of annotation.content) said.classes.fill(1, from, to);
  for (const [from, to] of annotation.ads) said.ads.fill(1, from, to);
  said.menu = annotation.menu;
  for (const { element, level, kind } of annotation.segments) said.segments.set(element, { level, kind });
  for (const { element, from, to, is } of annotation.texts) said.texts.set(element, [...(said.texts.get(element) ?? []), { from, to, is }]);
  return said;
}

const LABELS_OF_TEXT = ["template", "content", "comments", "other", "ads"];
const inOrder = (one, other) => one.from - other.from || one.to - other.to || LABELS_OF_TEXT.indexOf(one.is) - LABELS_OF_TEXT.indexOf(other.is);
const written = ({ classes, ads, menu, segments, texts }) => ({
  content: ranges(classes, 1), comments: ranges(classes, 2), other: ranges(classes, 3), ads: ranges(ads, 1), menu,
  segments: [...segments].sort(([a], [b]) => a - b).map(([element, { level, kind }]) => ({ element, level, kind })),
  texts: [...texts].sort(([a], [b]) => a - b).flatMap(([element, marks]) => marks.toSorted(inOrder).map(({ from, to, is }) => ({ element, from, to, is }))),
});

// Marked parts of texts are painted over, so that the page stays as it is.
const canPaint = () => Boolean($("frame").contentWindow.CSS?.highlights && $("frame").contentWindow.Highlight);
function paintTexts() {
  if (!canPaint()) return;
  const { CSS, Highlight } = $("frame").contentWindow;
  CSS.highlights.clear();
  const byNumber = new Map(state.nodes.map((node) => [number(node), node]));
  const painted = new Map();
  for (const [element, marks] of state.said.texts) {
    const texts = byNumber.has(element) ? ownTexts(byNumber.get(element)) : [];
    for (const { from, to, is } of marks) {
      let before = 0;
      for (const text of texts) {
        const characters = [...text.data];
        const [start, end] = [Math.max(from - before, 0), Math.min(to - before, characters.length)];
        before += characters.length;
        if (start >= end) continue;
        const range = inside().createRange();
        range.setStart(text, characters.slice(0, start).join("").length);
        range.setEnd(text, characters.slice(0, end).join("").length);
        painted.set(is, [...(painted.get(is) ?? []), range]);
      }
    }
  }
  for (const [is, ranges] of painted) CSS.highlights.set(is, new Highlight(...ranges));
}

// --- the page in its frame

const number = (node) => Number(node.dataset.n);
const inside = () => $("frame").contentDocument;

function paint() {
  const { classes, ads, menu, segments, texts } = state.said;
  const others = $("differ").checked ? (state.page.people ?? []).map(({ annotation }) => read(annotation, state.page.elements)) : [];
  for (const node of state.nodes) {
    const at = number(node);
    const labels = [];
    const parent = node.parentElement?.dataset?.n === undefined ? 0 : classes[number(node.parentElement)];
    if (classes[at] !== parent) labels.push(CLASSES[classes[at]]);
    if (ads[at]) labels.push("ads");
    if (menu === at) labels.push("menu");
    const segment = segments.get(at);
    if (segment) labels.push(segment.level === 1 ? "segment1" : "segment2");
    if (texts.has(at)) labels.push(canPaint() ? "parts" : "parts unpainted");
    if (others.length > 1 && others.some((other) => other.classes[at] !== others[0].classes[at] || other.ads[at] !== others[0].ads[at] || JSON.stringify(other.texts.get(at)) !== JSON.stringify(others[0].texts.get(at)))) labels.push("differs");
    if (labels.length) node.dataset.l = labels.join(" ");
    else delete node.dataset.l;
  }
  paintTexts();
  $("undo").disabled = !state.undo.length;
  $("redo").disabled = !state.redo.length;
  document.body.classList.toggle("changed", isChanged());
}

const isChanged = () => state.said !== null && JSON.stringify(written(state.said)) !== state.saved;

function change(how) {
  state.undo.push(copy(state.said));
  if (state.undo.length > MOST_UNDONE) state.undo.shift();
  state.redo = [];
  how(state.said);
  paint();
}

const chosen = () => document.querySelector("[name=label]:checked").value;

// Labels an element with all in it. What parts of texts in it were said to be is said anew.
function label(node) {
  const name = chosen();
  const first = number(node);
  const numbers = [first, ...[...node.querySelectorAll("[data-n]")].map(number)];
  change((said) => {
    if (name === "menu") said.menu = said.menu === first ? null : first;
    else if (name.startsWith("segment")) {
      const level = name === "segment1" ? 1 : 2, kind = $("kind").value.trim();
      const known = said.segments.get(first);
      if (known && known.level === level && known.kind === kind) said.segments.delete(first);
      else said.segments.set(first, { level, kind });
    } else {
      // The same again takes it away.
      const wanted = name === "ads" ? 1 : CLASSES.indexOf(name);
      const flags = name === "ads" ? said.ads : said.classes;
      const is = flags[first] === wanted ? 0 : wanted;
      for (const at of numbers) {
        flags[at] = is;
        const left = (said.texts.get(at) ?? []).filter((mark) => isAd(mark) !== (name === "ads"));
        if (left.length) said.texts.set(at, left);
        else said.texts.delete(at);
      }
    }
  });
  tell(`${describe(node)}: ${name.replace(/\d/, "")}`);
}

// Labels selected text: elements of which it is all, alone; of others the part. Menus and segments are elements: the one around all of it.
function labelText(chosenParts) {
  const name = chosen();
  if (name === "menu" || name.startsWith("segment")) {
    const range = inside().getSelection().getRangeAt(0);
    const around = range.commonAncestorContainer;
    return label((isText(around) ? around.parentElement : around).closest("[data-n]"));
  }
  change((said) => {
    for (const { node, parts, isWhole } of chosenParts) {
      const at = number(node);
      if (isWhole) {
        if (name === "ads") said.ads[at] = 1;
        else said.classes[at] = CLASSES.indexOf(name);
        const left = (said.texts.get(at) ?? []).filter((mark) => isAd(mark) !== (name === "ads"));
        if (left.length) said.texts.set(at, left);
        else said.texts.delete(at);
      } else {
        for (const { from, to } of parts) sayOfText(said, at, from, to, name);
      }
    }
  });
  const [{ node, isWhole }] = chosenParts;
  tell(`${chosenParts.length > 1 ? `text of ${chosenParts.length} parts` : isWhole ? `text of ${describe(node)}` : `part of the text of ${describe(node)}`}: ${name}`);
}

function describe(node) {
  const name = node.localName + (node.id ? `#${node.id}` : "") + [...node.classList].slice(0, 2).map((name) => `.${name}`).join("");
  return name.slice(0, 60);
}

function go(node) {
  inside().querySelector("[data-here]")?.removeAttribute("data-here");
  state.here = node;
  if (!node) return;
  node.setAttribute("data-here", "");
  node.scrollIntoView({ block: "nearest" });
  const path = [];
  for (let at = node; at?.dataset?.n !== undefined; at = at.parentElement) path.unshift(describe(at));
  const segment = state.said.segments.get(number(node));
  $("path").textContent = path.slice(-6).join(" › ") + (segment ? ` — ${segment.kind}` : "");
}

// A part that is seen: one with a box.
const isSeen = (node) => node.getClientRects().length > 0;
const parts = (from) => [...from.children].filter((node) => node.dataset.n !== undefined && isSeen(node));

function move(key) {
  const body = inside().body;
  const here = state.here ?? body;
  if (key === "ArrowLeft") return here !== body && here.parentElement ? go(here.parentElement) : null;
  if (key === "ArrowRight") return go(parts(here)[0] ?? here);
  const seen = state.nodes.filter((node) => body.contains(node) && isSeen(node));
  const at = seen.indexOf(here);
  if (key === "ArrowUp") return go(seen[Math.max(0, at - 1)]);
  // The next that is not within this one; of the body, the first.
  const next = here === body ? seen[at + 1] : seen.slice(at + 1).find((node) => !here.contains(node));
  return go(next ?? here);
}

function watch(document) {
  const part = (event) => event.target.closest?.("[data-n]");
  // Nothing of the page acts: no form, no menu that opens, no link.
  for (const name of ["click", "auxclick", "submit", "dragstart"]) document.addEventListener(name, (event) => event.preventDefault(), true);
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest?.("select, input, textarea, button, summary")) event.preventDefault();
  }, true);
  document.addEventListener("mouseup", (event) => {
    if (event.button !== 0) return;
    const texts = selectedParts(document);
    if (texts.length) {
      labelText(texts);
      document.getSelection().removeAllRanges();
      return go(texts[0].node);
    }
    const node = part(event);
    if (!node || node === document.documentElement) return;
    go(node);
    label(node);
  }, true);
  document.addEventListener("mouseover", (event) => {
    document.querySelector("[data-hover]")?.removeAttribute("data-hover");
    part(event)?.setAttribute("data-hover", "");
  }, true);
  document.addEventListener("keydown", keys, true);
}

// --- pages

// Nothing of the page is loaded from anywhere, unless the reader wants it from the web.
function policy() {
  const from = $("web").checked ? " https: http:" : "";
  const images = $("web").checked ? "data: https: http:" : "data:";
  return `default-src 'none'; style-src 'unsafe-inline'${from}; img-src ${images}; font-src ${from.trim() || "'none'"}; form-action 'none'`;
}

function dress() {
  for (const sheet of inside().styleSheets) sheet.disabled = sheet.ownerNode.id !== "unchaff-style" && !$("styles").checked;
}

function show(html) {
  return new Promise((done) => {
    const frame = $("frame");
    frame.addEventListener("load", () => {
      const document = frame.contentDocument;
      const style = document.createElement("style");
      style.textContent = STYLE;
      style.id = "unchaff-style";
      document.documentElement.append(style);
      state.nodes = [...document.querySelectorAll("[data-n]")];
      state.here = null;
      watch(document);
      dress();
      done();
    }, { once: true });
    frame.srcdoc = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy()}">${html}`;
  });
}

function fill(select, options) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
}

const name = ({ site, page }) => ({ site, page });
const current = () => state.pages[state.at];
const titled = ({ site, page }) => (site ? `${site}/${page}` : page);

const list = doing(async (wanted) => {
  ({ pages: state.pages } = await ask("GET", "/v1/annotation/pages"));
  fill($("page"), state.pages.map((entry, at) => [at, `${entry.gold ? "★ " : ""}${titled(entry)} (${entry.annotators.length})`]));
  if (!state.pages.length) return tell("There is no page here yet. `unchaff bench suite from SOURCE -o FOLDER` makes a folder of a site, or add an address.");
  const at = state.pages.findIndex((entry) => entry.site === wanted?.site && entry.page === wanted?.page);
  $("page").value = Math.max(0, at);
  return at;
});

const open = doing(async (at, proposed) => {
  if (isChanged() && at !== state.at && !confirm("What you changed on this page is not saved. Leave it?")) {
    $("page").value = state.at;
    return;
  }
  const turn = ++state.turn;
  state.at = at;
  $("page").value = at;
  tell("Loading…");
  const page = await ask("GET", "/v1/annotation/page", { ...name(current()), ...($("web").checked ? { web: 1 } : {}) });
  if (turn !== state.turn) return;
  state.page = page;
  await show(page.html);
  const own = page.people.find(({ who }) => who === $("who").value);
  state.said = proposed ? read(proposed.annotation, page.elements) : own ? read(own.annotation, page.elements) : nothing(page.elements);
  state.undo = [];
  state.redo = [];
  state.saved = JSON.stringify(written(own ? read(own.annotation, page.elements) : nothing(page.elements)));
  $("page-title").textContent = titled(current());
  location.hash = new URLSearchParams(name(current()));
  $("similar").replaceChildren();
  sides();
  paint();
  if (proposed) {
    const sure = Math.round(proposed.verified * 100);
    tell(`Carried over, ${sure} % of it has its place here. Look at it, mend it, and save it.`);
  } else {
    tell(own ? "This is what you said about it." : "You have said nothing about it yet.");
  }
});

function sides() {
  const { people, agreement, gold } = state.page;
  const isGold = gold || current().gold;
  const told = people.length ? `Said something: ${people.map(({ who }) => who).join(", ")}.` : "Nobody has said anything yet.";
  $("people").textContent = told;
  fill($("judge"), people.map(({ who }) => [who, who]));
  $("judged").disabled = people.length < 2;
  $("majority").disabled = !people.length;
  $("differ").disabled = people.length < 2;
  $("gold-told").textContent = isGold ? "This page has gold." : "This page has no gold yet.";
  $("agreement").replaceChildren();
  if (!agreement) return;
  const table = document.createElement("table");
  const caption = table.createCaption();
  caption.textContent = `Agreement on ${agreement.elements} parts (${agreement.annotators === 2 ? "Cohen's" : "Fleiss'"} kappa)`;
  const row = (cells, kind) => {
    const line = document.createElement("tr");
    cells.forEach((text, at) => {
      const cell = document.createElement(kind);
      cell.textContent = text;
      if (at) cell.className = "number";
      if (kind === "th") cell.scope = "col";
      line.append(cell);
    });
    return line;
  };
  table.createTHead().append(row(["about", "agreed", "kappa"], "th"));
  const body = table.createTBody();
  for (const { what, observed, kappa } of agreement.about) body.append(row([what, observed.toFixed(3), kappa === null ? "–" : kappa.toFixed(3)], "td"));
  $("agreement").append(table);
}

const person = () => {
  const who = $("who").value.trim();
  if (who && $("who").checkValidity()) return who;
  $("who").focus();
  throw new Refused("Say who you are first: a name of letters, digits, - and _.");
};

const save = doing(async () => {
  const who = person();
  const annotation = written(state.said);
  await ask("PUT", "/v1/annotation", { ...name(current()), who }, annotation);
  state.saved = JSON.stringify(annotation);
  await reload();
  paint();
  tell(`Saved as ${who}'s.`);
});

// What others said, anew.
async function reload() {
  const { html, ...rest } = await ask("GET", "/v1/annotation/page", name(current()));
  state.page = { ...state.page, ...rest };
  sides();
  const here = name(current());
  await list(here);
}

const decide = (judge) => doing(async () => {
  if (isChanged()) throw new Refused("Save what you changed first.");
  const asked = { ...name(current()), ...(judge() ? { judge: judge() } : {}) };
  let decided;
  try {
    decided = await ask("POST", "/v1/annotation/gold", asked);
  } catch (error) {
    if (error.status !== 409 || !confirm("This page has gold that was not made here. Replace it?")) throw error;
    decided = await ask("POST", "/v1/annotation/gold", { ...asked, replace: 1 });
  }
  await reload();
  tell(decided.undecided.length ? `Gold is saved; ${decided.undecided.length} parts had as many votes for one thing as for another, and are template.` : "Gold is saved; everything was decided.");
});

const findSimilar = doing(async () => {
  const who = person();
  const from = current();
  const { pages } = await ask("GET", "/v1/annotation/similar", name(from));
  $("similar").replaceChildren(...pages.slice(0, 50).map(({ page, similarity }) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = page;
    button.addEventListener("click", doing(async () => {
      const carried = await ask("GET", "/v1/annotation/carried", { site: from.site, page, from: from.page, who });
      await open(state.pages.findIndex((entry) => entry.site === from.site && entry.page === page), carried);
    }));
    const entry = state.pages.find((entry) => entry.site === from.site && entry.page === page);
    item.append(button, ` ${Math.round(similarity * 100)} % alike${entry?.annotators.includes(who) ? ", done" : ""}`);
    return item;
  }));
  tell(pages.length ? `${pages.length} pages share this template.` : "No other page of this site shares its template.");
});

// --- keys, and the rest

function back(from, to) {
  const earlier = from.pop();
  if (!earlier) return;
  to.push(copy(state.said));
  state.said = earlier;
  paint();
}

function step(by) {
  const at = state.at + by;
  if (at >= 0 && at < state.pages.length) open(at);
}

function keys(event) {
  const field = event.target.closest?.("input:not([type=radio]):not([type=checkbox]), textarea, select, dialog");
  const isOurs = event.target.ownerDocument === document;
  if (event.altKey || (isOurs && field) || !state.said) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") event.shiftKey ? back(state.redo, state.undo) : back(state.undo, state.redo);
    else if (key === "s") save();
    else return;
    return event.preventDefault();
  }
  const isRadio = isOurs && event.target.matches?.("[type=radio]");
  if (event.key.startsWith("Arrow")) {
    if (isRadio) return;
    move(event.key);
  } else if (event.key === "Enter" && (!isOurs || event.target === document.body)) {
    if (state.here) label(state.here);
  } else if (/^[1-8]$/.test(key)) {
    document.querySelector(`[name=label][value=${LABELS[key - 1]}]`).checked = true;
    kindOf();
  } else if (key === "z") back(state.undo, state.redo);
  else if (key === "y") back(state.redo, state.undo);
  else if (key === "s") save();
  else if (key === "c") $("styles").click();
  else if (key === "n") step(1);
  else if (key === "p") step(-1);
  else return;
  event.preventDefault();
}

function kindOf() {
  $("kind-label").hidden = !document.querySelector("[name=label]:checked").value.startsWith("segment");
}

document.addEventListener("keydown", keys);
$("labels").addEventListener("change", kindOf);
$("undo").addEventListener("click", () => back(state.undo, state.redo));
$("redo").addEventListener("click", () => back(state.redo, state.undo));
$("save").addEventListener("click", save);
$("majority").addEventListener("click", decide(() => ""));
$("judged").addEventListener("click", decide(() => $("judge").value));
$("find-similar").addEventListener("click", findSimilar);
$("styles").addEventListener("change", () => state.page && dress());
$("web").addEventListener("change", () => {
  if (!state.page) return;
  // What was said and not saved stays.
  const { said, undo, redo, here } = state;
  doing(async () => {
    const { html } = await ask("GET", "/v1/annotation/page", { ...name(current()), ...($("web").checked ? { web: 1 } : {}) });
    await show(html);
    Object.assign(state, { said, undo, redo });
    if (here) go(state.nodes.find((node) => node.dataset.n === here.dataset.n));
    paint();
  })();
});
$("differ").addEventListener("change", () => state.said && paint());
$("page").addEventListener("change", () => open(Number($("page").value)));
$("previous").addEventListener("click", () => step(-1));
$("next").addEventListener("click", () => step(1));
$("who").value = localStorage.getItem("who") ?? "";
$("who").addEventListener("change", () => {
  localStorage.setItem("who", $("who").value.trim());
  if (state.at >= 0) open(state.at);
});
$("add").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(async () => {
    tell("Fetching…");
    const added = await ask("POST", "/v1/annotation/pages", {}, { url: $("url").value });
    $("url").value = "";
    await open(await list(added));
  })();
});
addEventListener("beforeunload", (event) => isChanged() && event.preventDefault());

const THEMES = ["system", "light", "dark"];
function theme(name) {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  localStorage.setItem("theme", name);
  $("theme").textContent = `Theme: ${name}`;
}
$("theme").addEventListener("click", () => theme(THEMES[(THEMES.indexOf(localStorage.getItem("theme") ?? "system") + 1) % 3]));
theme(localStorage.getItem("theme") ?? "system");

(async () => {
  const wanted = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const at = await list(wanted);
  if (state.pages.length) await open(Math.max(0, at ?? 0));
})();
