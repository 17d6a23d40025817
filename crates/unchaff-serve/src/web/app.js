// The page to try unchaff: a client of the same interface that other programs use. Whatever comes from a page of others is written as text, or
// shown in a frame without scripts.
"use strict";

const $ = (id) => document.getElementById(id);
const VIEWS = ["original", "content", "complement", "template", "menu", "segments"];
const TABS = ["markdown", "text", "metadata", "why", "json"];
// By view: what is asked, and the kind of technique that answers.
const KIND = { original: "content", content: "content", complement: "content", template: "template", menu: "menu", segments: "segments" };
const PATH = { content: "/v1/extract", template: "/v1/template", menu: "/v1/menu", segments: "/v1/segment" };
const NAMES = { original: "The page as it is", content: "Content", complement: "Everything but the content", template: "Template", menu: "Menu", segments: "Segments" };
// The longest page that fits into a link.
const LONGEST_LINK = 60000;

const state = { source: null, view: "original", way: "marked", tab: "markdown", techniques: [], chosen: { a: {}, b: {} }, records: {}, turn: 0 };
let token = sessionStorage.getItem("token");

// --- asking

class Refused extends Error {}

async function ask(path, options, source = state.source) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  let url = path, body;
  if (source.bytes) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(options)) query.set(name, value);
    url += `?${query}`;
    headers["Content-Type"] = "text/html";
    body = source.bytes;
  } else {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(source.html === undefined ? { url: source.url, options } : { html: source.html, options });
  }
  const reply = await fetch(url, { method: "POST", headers, body });
  return read(reply, () => ask(path, options, source));
}

async function get(path) {
  const reply = await fetch(path, { headers: token ? { Authorization: `Bearer ${token}` } : {} });
  return read(reply, () => get(path));
}

async function read(reply, again) {
  if (reply.ok) return reply;
  if (reply.status === 401) {
    await askForToken();
    return again();
  }
  let detail = `${reply.status} ${reply.statusText}`;
  try {
    detail = (await reply.json()).detail;
  } catch {
    // No problem document: what the status says is all there is.
  }
  throw new Refused(detail);
}

let asking = null;
function askForToken() {
  const dialog = $("token-dialog");
  asking ??= new Promise((done) => {
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

// --- showing

function tell(text, isBad = false) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", isBad);
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// A page of others for the frame: no scripts, nothing from elsewhere unless the reader wants it.
function framed(html, style) {
  const web = $("web").checked;
  const from = web ? " https: http:" : "";
  const policy = `default-src 'none'; style-src 'unsafe-inline'${from}; img-src data:${from}; font-src data:${from}; form-action 'none'`;
  const base = web && state.records.a?.url ? `<base href="${state.records.a.url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">` : "";
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">${base}${style ? `<style>${style}</style>` : ""}`;
  const doctype = /^\s*(?:<!--[^]*?-->\s*)*<!doctype[^>]*>/i.exec(html);
  const at = doctype ? doctype[0].length : 0;
  return html.slice(0, at) + head + html.slice(at);
}

const COLOURS = ["#b45309", "#1d4ed8", "#047857", "#a21caf", "#b91c1c", "#0e7490"];
function styleOf(view) {
  if (view === "complement") {
    return '[data-unchaff~="content"],[data-unchaff-text~="content"]{visibility:hidden!important}:not([data-unchaff~="content"]):not([data-unchaff-text~="content"]){visibility:visible}';
  }
  if (view !== "segments") return "";
  const outlined = COLOURS.map((colour, at) => Array.from({ length: 20 }, (_, row) => `[data-unchaff~="segment-${row * COLOURS.length + at + 1}"]`).join(",") + `{outline:2px solid ${colour};outline-offset:-2px}`);
  // What is inside of a segment has its number too, and one frame is enough.
  return outlined.join("") + "[data-unchaff*=segment-] [data-unchaff*=segment-]{outline:none}";
}

// The page as a view shows it.
async function pageOf(view, technique) {
  const options = technique ? { technique } : {};
  if (view === "segments") return ask(PATH.segments, { ...options, format: "annotated" });
  if (view === "original" || view === "complement") return ask(PATH.content, { ...options, format: "annotated" });
  if (state.way === "alone") return ask(PATH[view], { ...options, format: "skeleton" });
  return ask(PATH[view], { ...options, format: "annotated", explain: true });
}

async function recordOf(view, technique) {
  const kind = KIND[view];
  const options = technique ? { technique } : {};
  if (kind !== "segments") options.explain = true;
  return (await ask(PATH[kind], options)).json();
}

async function showPane(pane, turn) {
  const view = state.view;
  const technique = $(`technique-${pane}`).value;
  const [page, record] = await Promise.all([pageOf(view, technique).then((reply) => reply.text()), recordOf(view, technique)]);
  if (turn !== state.turn) return;
  state.records[pane] = record;
  $(`title-${pane}`).textContent = NAMES[view];
  $(`told-${pane}`).textContent = summary(record);
  $(`frame-${pane}`).srcdoc = framed(page, styleOf(view));
}

function summary(record) {
  if (record.segments) return `${record.technique}: ${record.segments.length} segments`;
  const block = record.blocks.find((block) => block.kind === record.shows);
  const said = [`${record.technique}: ${record.words} words`];
  if (record.reading_minutes) said.push(`${record.reading_minutes} min`);
  if (block?.confidence !== undefined) said.push(`confidence ${block.confidence}`);
  if (record.warnings.length) said.push(record.warnings.map((warning) => warning.message).join("; "));
  return said.join(", ");
}

// How much of the words of two texts are in both.
function shared(one, other) {
  const counts = new Map();
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of other) {
    const left = counts.get(word) ?? 0;
    if (left > 0) {
      both += 1;
      counts.set(word, left - 1);
    }
  }
  return both;
}

async function show() {
  if (!state.source) return;
  const turn = ++state.turn;
  const isCompared = $("compare").checked;
  $("pane-b").hidden = !isCompared;
  document.querySelector(".panes").classList.toggle("compared", isCompared);
  for (const input of document.querySelectorAll("[name=way]")) input.disabled = !["content", "template", "menu"].includes(state.view);
  tell("Working…");
  try {
    await Promise.all((isCompared ? ["a", "b"] : ["a"]).map((pane) => showPane(pane, turn)));
    if (turn !== state.turn) return;
    let said = state.records.a.metadata?.title?.value ?? state.source.name ?? state.source.url ?? "Done.";
    if (isCompared && state.records.a.text !== undefined && state.records.b.text !== undefined) {
      const [one, other] = [state.records.a, state.records.b].map((record) => record.text.split(/\s+/).filter(Boolean));
      const both = shared(one, other);
      said = `${both} words are in both, ${one.length - both} in the first only, ${other.length - both} in the second only`;
    }
    tell(said);
    showTab();
    remember();
  } catch (error) {
    if (turn === state.turn) tell(error instanceof Refused ? error.message : `The service cannot be reached: ${error.message}`, true);
  }
}

function showTab() {
  const out = $("out");
  for (const tab of TABS) {
    const button = $(`tab-${tab}`);
    button.setAttribute("aria-selected", tab === state.tab);
    button.tabIndex = tab === state.tab ? 0 : -1;
  }
  out.setAttribute("aria-labelledby", `tab-${state.tab}`);
  out.replaceChildren();
  const record = state.records.a;
  if (!record) return;
  if (state.tab === "metadata") return void out.append(metadata(record));
  if (state.tab === "why") return void out.append(why(record));
  const texts = {
    json: () => JSON.stringify(record, null, 2),
    markdown: () => record.markdown ?? record.segments.map((one, at) => `${at + 1}. ${one.kind ?? "segment"}\n\n${one.text}`).join("\n"),
    text: () => record.text ?? record.segments.map((one) => one.text).join("\n"),
  };
  out.append(element("pre", texts[state.tab]() || "Nothing was found."));
}

function metadata(record) {
  const rows = [];
  for (const [name, found] of Object.entries(record.metadata ?? {})) {
    for (const one of Array.isArray(found) ? found : [found]) if (one) rows.push([name.replaceAll("_", " "), String(one.value), one.source]);
  }
  if (record.charset) rows.push(["charset", record.charset.name, record.charset.source]);
  return rows.length ? table(["what", "value", "from"], rows, ["", "", "source"]) : element("p", "The page says nothing about itself here.");
}

function why(record) {
  const explanation = record.explanation;
  if (!explanation) return element("p", "Segments come without an explanation.");
  const all = document.createDocumentFragment();
  for (const note of explanation.notes) all.append(element("p", note));
  if (!explanation.rows.length) return all;
  const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(3));
  const rows = explanation.rows.slice(0, 500).map((row) => [`${row.tag} ${row.path}`, ...row.values.map(number), row.remark ?? "", row.why ?? ""]);
  all.append(table(["node", ...explanation.columns, "became", "why"], rows, ["", ...explanation.columns.map(() => "number"), "", ""]));
  if (explanation.rows.length > 500) all.append(element("p", `…and ${explanation.rows.length - 500} more in the JSON.`));
  return all;
}

function table(heads, rows, classes) {
  const made = element("table");
  const head = made.createTHead().insertRow();
  for (const text of heads) {
    const cell = element("th", text);
    cell.scope = "col";
    head.append(cell);
  }
  const body = made.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((text, at) => line.append(element("td", text, classes[at])));
  }
  return made;
}

// --- techniques

function fillTechniques() {
  const kind = KIND[state.view];
  const fits = (one) => one.looks_at === "page" && (kind === "content" ? !["template", "menu", "segments"].includes(one.finds) : one.finds === kind);
  const found = state.techniques.filter(fits);
  for (const pane of ["a", "b"]) {
    const select = $(`technique-${pane}`);
    select.replaceChildren();
    for (const one of found) {
      const option = element("option", one.finds === kind ? one.name : `${one.name} (${one.finds})`);
      option.value = one.name;
      option.title = one.summary;
      select.append(option);
    }
    const usual = found.find((one) => one.default) ?? found.find((one) => one.name === "dom-blocks") ?? found[0];
    const other = found.find((one) => one !== usual) ?? usual;
    const wanted = state.chosen[pane][kind] ?? (pane === "a" ? usual : other)?.name;
    select.value = found.some((one) => one.name === wanted) ? wanted : usual?.name;
  }
}

// --- links

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

// Everything after # stays in the browser: a link tells the service nothing.
async function remember() {
  const link = new URLSearchParams({ view: state.view, way: state.way, tab: state.tab });
  const kind = KIND[state.view];
  if (state.chosen.a[kind]) link.set("technique", state.chosen.a[kind]);
  if ($("compare").checked) link.set("other", $("technique-b").value);
  const source = state.source;
  if (source.url) link.set("url", source.url);
  else if (source.example) link.set("example", "1");
  else if (source.html !== undefined) {
    const page = await packed(source.html);
    if (page.length > LONGEST_LINK) return false;
    link.set("page", page);
  } else return false;
  history.replaceState(null, "", `#${link}`);
  return true;
}

async function recall() {
  const link = new URLSearchParams(location.hash.slice(1));
  const view = link.get("view"), way = link.get("way"), tab = link.get("tab");
  if (VIEWS.includes(view)) state.view = view;
  if (["marked", "alone"].includes(way)) state.way = way;
  if (TABS.includes(tab)) state.tab = tab;
  const kind = KIND[state.view];
  if (link.has("technique")) state.chosen.a[kind] = link.get("technique");
  if (link.has("other")) {
    state.chosen.b[kind] = link.get("other");
    $("compare").checked = true;
  }
  document.querySelector(`[name=view][value=${state.view}]`).checked = true;
  document.querySelector(`[name=way][value=${state.way}]`).checked = true;
  fillTechniques();
  if (link.has("url")) {
    $("source").value = link.get("url");
    state.source = { url: link.get("url") };
  } else if (link.has("page")) {
    try {
      const html = await unpacked(link.get("page"));
      $("source").value = html;
      state.source = { html };
    } catch {
      return tell("The page in this link is damaged.", true);
    }
  } else {
    return example();
  }
  show();
}

// --- what the reader does

async function example() {
  state.source = { html: await (await get("/example.html")).text(), example: true, name: "An example" };
  show();
}

function setView(view) {
  state.view = view;
  document.querySelector(`[name=view][value=${view}]`).checked = true;
  fillTechniques();
  show();
}

function setWay(way) {
  state.way = way;
  document.querySelector(`[name=way][value=${way}]`).checked = true;
  show();
}

function setTab(tab) {
  state.tab = tab;
  showTab();
  if (state.source) remember();
}

async function open(file) {
  state.source = { bytes: await file.arrayBuffer(), name: file.name };
  $("source").value = "";
  show();
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("source").value;
  const address = text.trim();
  if (!address) return tell("Give an address, or the HTML of a page, or open a file.", true);
  state.source = /^https?:\/\/\S+$/i.test(address) ? { url: address } : { html: text };
  show();
});
$("file").addEventListener("change", (event) => event.target.files[0] && open(event.target.files[0]));
$("example").addEventListener("click", () => {
  $("source").value = "";
  example();
});
$("link").addEventListener("click", async () => {
  if (!state.source || !(await remember())) return tell("There is no link to a file or to so large a page; give its address.", true);
  try {
    await navigator.clipboard.writeText(location.href);
    tell("The link is copied. It holds all that is asked, and tells the service nothing.");
  } catch {
    tell("The link is in the address bar.");
  }
});
for (const id of ["compare", "web"]) $(id).addEventListener("change", show);
for (const pane of ["a", "b"]) {
  $(`technique-${pane}`).addEventListener("change", (event) => {
    state.chosen[pane][KIND[state.view]] = event.target.value;
    show();
  });
}
$("views").addEventListener("change", (event) => setView(event.target.value));
$("ways").addEventListener("change", (event) => setWay(event.target.value));
for (const tab of TABS) {
  $(`tab-${tab}`).addEventListener("click", () => setTab(tab));
  $(`tab-${tab}`).addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length];
    setTab(next);
    $(`tab-${next}`).focus();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.target.closest("textarea, select, input[type=password], dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = VIEWS[Number(event.key) - 1];
  if (view) setView(view);
  else if (event.key === "c") $("compare").click();
  else if (event.key === "p" && ["content", "template", "menu"].includes(state.view)) setWay(state.way === "marked" ? "alone" : "marked");
  else if (event.key === "/") $("source").focus();
  else return;
  event.preventDefault();
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const file = event.dataTransfer.files[0];
  if (file) open(file);
});
addEventListener("hashchange", recall);

const THEMES = ["system", "light", "dark"];
function setTheme(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("theme").textContent = `Theme: ${theme}`;
  localStorage.setItem("theme", theme);
}
$("theme").addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(localStorage.getItem("theme") ?? "system") + 1) % 3]));
setTheme(THEMES.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "system");

get("/v1/techniques").then((reply) => reply.json()).then(({ techniques }) => {
  state.techniques = techniques;
  return recall();
}).catch((error) => tell(error.message, true));
