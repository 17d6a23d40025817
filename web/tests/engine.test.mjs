// What a user of the package meets: options that make no sense, hostile pages, models, memory.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { UnchaffError, load } from "../package/index.js";
import { singles, sites } from "./pages_of_ours.mjs";

const module = new URL("../package/unchaff.wasm", import.meta.url);
const unchaff = await load();
const url = "https://example.org/rain";
const html = "<title>Rain</title><nav><a href=/>Home</a> <a href=/b>B</a></nav><h1>Rain</h1><p>It rained <b>all day</b>, and everybody who could stayed at home until the evening came.</p>";

const refused = (work, code, message) =>
  assert.throws(work, (error) => {
    assert.ok(error instanceof UnchaffError && error instanceof Error, String(error));
    assert.equal(error.name, "UnchaffError");
    assert.match(error.message, message);
    assert.equal(error.code, code);
    return true;
  });

test("the module asks its host for memory, for names in other scripts, and for nothing else", async () => {
  const compiled = await WebAssembly.compile(readFileSync(module));
  const wanted = [{ module: "env", name: "host_name", kind: "function" }, { module: "env", name: "memory", kind: "memory" }];
  assert.deepEqual(WebAssembly.Module.imports(compiled).sort((one, other) => (one.name < other.name ? -1 : 1)), wanted);
});

test("the module comes from wherever it is", async () => {
  const bytes = readFileSync(module);
  const compiled = await WebAssembly.compile(bytes);
  const answer = (type) => new Response(bytes, { headers: { "content-type": type } });
  for (const source of [bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), compiled, module, module.href, answer("application/wasm"), answer("text/plain"), Promise.resolve(compiled)]) {
    assert.match((await load(source)).extract(html).markdown, /^# Rain\n\nIt rained \*\*all day\*\*/);
  }
  await assert.rejects(load(new Response("", { status: 404 })), (error) => error.code === "module" && /404/.test(error.message));
});

test("a page as text and as bytes of all kinds", () => {
  const bytes = new TextEncoder().encode(html);
  for (const page of [html, bytes, bytes.buffer, new DataView(bytes.buffer), Buffer.from(bytes)]) assert.match(unchaff.extract(page).text, /It rained all day/);
  const latin = Buffer.from("<p>Es regnete für längere Zeit, und alle blieben daheim.</p>", "latin1");
  assert.match(unchaff.extract(latin, { charset: "windows-1252" }).text, /für längere/);
  // Text is text, whatever it says of itself; what is no character becomes one that says so.
  assert.match(unchaff.extract(`<meta charset=windows-1252>${html.replace("rained", "räined")}`).text, /räined/);
  assert.match(unchaff.extract(html.replace("rained", "r\ud800ined")).text, /r\ufffdined/);
  assert.equal(unchaff.extract("").text, "");
});

test("a record has every form", () => {
  const found = unchaff.extract(html, { url, formats: ["annotated", "skeleton"] });
  assert.equal(found.schema, "unchaff/extraction/2");
  assert.match(found.html, /<p>It rained <b>all day<\/b>/);
  assert.match(found.annotated, /data-unchaff="content"/);
  assert.doesNotMatch(found.skeleton, /Home/);
  assert.equal(found.metadata.title.value, "Rain");
  assert.equal(unchaff.extract(html, { title: "drop" }).markdown.includes("# Rain"), false);
  assert.doesNotMatch(unchaff.extract(html.replace("all day", "<a href=/x>all day</a>"), { url, exclude: "links" }).markdown, /example/);
  assert.match(unchaff.extract("\ufeff" + html).text, /It rained/);
});

test("labels find their nodes again", () => {
  // Characters of one, two, three and four bytes stand before what is found; exceptions are inside.
  const page = `<!doctype html><html><head><title>Zürich 日本 😀</title></head><body data-n=1><nav data-n=2><ul data-n=3><li><a href=/>Öl 😀</a><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul></nav><p data-n=4>It rained all day, and everybody who could stayed at home until the evening came.</p></body></html>`;
  const { nodes, elements } = unchaff.detect(page, { kind: "menu", mark: "data-n" });
  assert.equal(elements, 15);
  const tagged = page.match(/<[a-z][^>]*>/g);
  for (const node of nodes) {
    assert.ok(page.slice(...node.range).startsWith(`<${node.tag}`), page.slice(...node.range));
    assert.ok(tagged[node.element].startsWith(`<${node.tag}`));
    assert.equal(node.kind, "menu");
  }
  assert.deepEqual(nodes.map(({ mark }) => mark), ["3"]);
  const { texts } = unchaff.detect("<body>First of all, it rained all day long here in the town.<br>Then the sun came out, and everybody went home at last.<br><a href=/>x</a></body>", { technique: "boilerpipe-default" });
  for (const text of texts) assert.ok(text.text >= 0 && text.tag === "#text");
});

test("ranges of real pages begin with their tags", () => {
  for (const page of [...singles, ...sites.flatMap(({ pages }) => pages.slice(0, 3))]) {
    const text = page.html.toString("utf8");
    for (const { tag, range } of unchaff.detect(text).nodes) {
      const [start, end] = range;
      assert.ok(start <= end && end <= text.length);
      // A stray end tag stands for an element too, and image for img.
      const name = /^<\/?(\w+)/.exec(text.slice(start, end))?.[1].toLowerCase().replace("image", "img");
      if (start < end) assert.equal(name, tag, page.file);
    }
  }
});

test("what makes no sense is refused, with what would", () => {
  refused(() => unchaff.extract(undefined), "option", /a page is a string or bytes/);
  refused(() => unchaff.extract(["<p>"]), "option", /not an array/);
  refused(() => unchaff.extract(html, { tecnique: "auto" }), "option", /there is no option `tecnique`, there are .*`technique`/);
  refused(() => unchaff.extract(html, { technique: "magic" }), "option", /there is no technique `magic`; there are auto/);
  refused(() => unchaff.extract(html, { technique: "temex" }), "option", /compares pages of a site.*give others of its site as pages/);
  refused(() => unchaff.extract(html, { technique: "auto", pages: [{ html }] }), "option", /looks at one page alone/);
  refused(() => unchaff.extract(html, { settings: { favour: 1 } }), "option", /auto has no parameter `favour`; it has favor/);
  refused(() => unchaff.extract(html, { favor: "speed" }), "option", /`speed` is not a value/);
  refused(() => unchaff.extract(html, { include: ["pictures"] }), "option", /there are comments, tables, images and links/);
  refused(() => unchaff.extract(html, { include: "links", exclude: ["links"] }), "option", /both included and excluded/);
  refused(() => unchaff.extract(html, { title: "twice" }), "option", /once, found, drop/);
  refused(() => unchaff.extract(html, { url: "somewhere" }), "option", /not an absolute address/);
  refused(() => unchaff.extract(Buffer.from(html), { charset: "klingon" }), "option", /not a charset/);
  refused(() => unchaff.extract(html, { formats: ["pdf"] }), "option", /there is no format `pdf`/);
  refused(() => unchaff.extract(html, { site: {} }), "option", /site is a SiteModel/);
  refused(() => unchaff.detect(html, { kind: "footer" }), "option", /there is no kind of block `footer`/);
  refused(() => unchaff.detect(html, { kind: "menu", technique: "auto" }), "option", /auto finds the content and not the menu/);
  refused(() => unchaff.detect(html, { kind: "ads", pages: [{ html }] }), "option", /a site tells content, template and menu/);
  refused(() => unchaff.cluster([], { distance: "far" }), "option", /`far` is no distance/);
  refused(() => unchaff.cluster([{ html }], { method: "k-median" }), "option", /how many clusters/);
  refused(() => unchaff.cluster([{ html }], { k: 2, threshold: 0.5 }), "option", /k is the number of clusters/);
  refused(() => unchaff.segment("{", { html }), "option", /./);
  refused(() => unchaff.segment(null, { html, technique: "bcs" }), "option", /give boxes/);
  refused(() => unchaff.segment(null, { html, technique: "best" }), "option", /there is no technique `best` for segments/);
  assert.match(unchaff.extract(html).text, /It rained/);
});

test("segments by marks are those by numbers", () => {
  const page = "<body data-n=0><p data-n=1>One<br>more</p><p data-n=2>Two</p></body>";
  const rects = [[10, 10, 60, 26], [10, 30, 60, 46], [10, 300, 60, 316]];
  const boxes = (names) => ({ width: 400, height: 400, boxes: rects.map((rect, at) => ({ rect, kind: "text", ...names[at] })) });
  const marked = unchaff.segment(boxes([{ mark: 1, text: 0 }, { mark: "1", text: 1 }, { mark: 2, text: 0 }]), { html: page, mark: "data-n" });
  const numbered = unchaff.segment(boxes([{ node: 5 }, { node: 7 }, { node: 9 }]), { html: page });
  const plain = ({ segments }) => segments.map(({ text, box, nodes }) => ({ text, box, paths: nodes.map(({ path }) => path) }));
  assert.deepEqual(plain(marked), plain(numbered));
  assert.ok(marked.segments.flatMap(({ nodes }) => nodes).every(({ mark, element }) => mark !== undefined && element >= 2));
});

test("models: learned, kept, merged, freed", () => {
  const { pages } = sites[0];
  const whole = unchaff.learn(pages);
  const [one, other] = [unchaff.learn(pages.slice(0, 3)), unchaff.learn(pages.slice(3))];
  one.merge(other);
  assert.deepEqual(one.toBytes(), whole.toBytes());
  const grown = unchaff.learn([]);
  assert.equal(grown.pages, 0);
  pages.toReversed().forEach((page) => grown.add(page.html, { url: page.url }));
  assert.deepEqual(grown.toBytes(), whole.toBytes());
  // A page that is refused leaves the model as it was.
  refused(() => grown.add(html, { url: "nowhere" }), "option", /not an absolute address/);
  assert.deepEqual([grown.pages, grown.toBytes()], [whole.pages, whole.toBytes()]);
  refused(() => unchaff.SiteModel.fromBytes(new Uint8Array(9)), "model", /no model/);
  refused(() => unchaff.SiteModel.fromBytes("model"), "model", /a model is bytes/);
  grown.free();
  grown.free();
  refused(() => grown.extract(html), "model", /freed/);
  refused(() => unchaff.extract(html, { site: grown }), "model", /freed/);
});

test("a model belongs to its engine, and its bytes to all", async () => {
  const { pages } = sites[0];
  const model = unchaff.learn(pages);
  const another = await load();
  refused(() => another.extract(html, { site: model }), "model", /another engine/);
  const { html: page, url } = pages[1];
  assert.equal(another.SiteModel.fromBytes(model.toBytes()).extractJson(page, { url }), model.extractJson(page, { url }));
});

// A page that asks for more memory than there is ends the instance and not the engine.
test("a page that needs too much memory is an error, and the next page is answered", async () => {
  const small = await load(undefined, { mostMemory: 24 << 20 });
  const { pages } = sites[0];
  const model = small.learn(pages);
  const expected = model.extractJson(pages[1].html, { url: pages[1].url });
  const nested = "<div><i>x".repeat(1_000_000);
  refused(() => small.extract(nested), "memory", /more than the 25165824 bytes.*raise mostMemory/);
  refused(() => small.extract(" ".repeat(64 << 20)), "memory", /do not fit/);
  refused(() => model.extract(nested), "memory", /mostMemory/);
  refused(() => model.add(nested), "memory", /mostMemory/);
  refused(() => small.cluster([{ html }, { html: nested }]), "memory", /mostMemory/);
  assert.equal(model.extractJson(pages[1].html, { url: pages[1].url }), expected);
  assert.equal(model.pages, pages.length);
  assert.match(small.extract(html).text, /It rained/);
  await assert.rejects(load(undefined, { mostMemory: 10 }), /mostMemory is a number of bytes/);
});

// The stack of a module is small: nothing may recurse as deep as a page is.
test("hostile pages are answered", () => {
  const prose = "<p>It rained all day, and everybody who could stayed at home until the evening came.</p>";
  const nested = ["div", "b", "ul><li", "table><tr><td", "blockquote", "span", "select><option", "svg", "template"].map((tag) => `<${tag}>`.repeat(20_000) + prose);
  const odd = [
    nested.join(""),
    "<a href=x>".repeat(50_000),
    "<p ".repeat(100_000),
    `<p ${Array.from({ length: 20_000 }, (_, at) => `a${at}=1`).join(" ")}>`,
    "<!--".repeat(100_000),
    "&".repeat(200_000),
    "\0".repeat(200_000),
    "<table>".repeat(5_000) + prose,
    `<script type="application/ld+json">${"[".repeat(100_000)}</script>${prose}`,
    `<script type="application/ld+json">${'{"a":'.repeat(100_000)}</script>${prose}`,
    Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256),
  ];
  for (const page of odd) {
    assert.equal(typeof unchaff.extract(page, { url }).markdown, "string");
    for (const kind of ["content", "template", "menu", "comments", "ads"]) assert.ok(unchaff.detect(page, { kind, url }).elements >= 0);
  }
  const site = unchaff.learn([{ html: odd[0], url }, ...sites[0].pages]);
  assert.equal(site.extract(odd[0], { url }).url, url);
  assert.ok(unchaff.cluster([{ html: odd[0], url }, ...sites[0].pages], { distance: "rtdm" }).clusters.length > 1);
  for (const { name } of unchaff.techniques().filter(({ level, kind }) => level === "page" && kind !== "segments")) {
    assert.ok(unchaff.detect(nested[0], { technique: name }).blocks.length > 0, name);
  }
});

test("memory is flat over 2,000 pages, and returned after a large one", async () => {
  const engine = await load();
  const { pages } = sites[0];
  const model = engine.learn(pages);
  const round = (count) => {
    for (let at = 0; at < count; at += 1) model.extract(pages[at % pages.length].html, { url: pages[at % pages.length].url });
    return engine.memory;
  };
  const before = round(200);
  assert.equal(round(1_800), before);
  const large = `<p>${"It rained all day, and everybody stayed at home. ".repeat(20_000)}</p>`.repeat(16);
  assert.match(engine.extract(large).text, /It rained/);
  assert.ok(engine.memory <= 64 << 20, String(engine.memory));
  // Another instance, which reads the model instead of learning it, fills its pages of 64 kB a little otherwise.
  const after = round(200);
  assert.ok(after <= before + (64 << 10), `${after} instead of ${before}`);
});

test("a technique that compares tells which pages it wants", () => {
  const { pages } = sites.find(({ site }) => site === "harbour-news");
  const [key, ...others] = pages;
  const given = [];
  const asked = [];
  for (;;) {
    const { wanted } = unchaff.detect(key.html, { url: key.url, technique: "temex", pages: given, lazy: true });
    const next = wanted.find((address) => !asked.includes(address));
    if (next === undefined || asked.length > 40) break;
    asked.push(next);
    given.push(...others.filter(({ url }) => url === next));
  }
  assert.ok(given.length >= 3, asked.join(" "));
  const found = unchaff.detect(key.html, { url: key.url, technique: "temex", pages: given, lazy: true });
  assert.ok(found.nodes.length > 0 && found.nodes.every(({ kind }) => kind === "template"));
});

// One module, compiled once; each thread has an instance of it and a memory of its own.
test("threads of Node share a module, and answer alike", async () => {
  const compiled = await WebAssembly.compile(readFileSync(module));
  const work = `const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.index).then(async ({ load }) => {
      const unchaff = await load(workerData.compiled);
      parentPort.postMessage(workerData.pages.map(({ html, url }) => unchaff.extractJson(html, { url })));
    });`;
  const pages = sites[0].pages.slice(0, 4).map(({ html, url }) => ({ html: html.toString("utf8"), url }));
  const index = new URL("../package/index.js", import.meta.url).href;
  const answers = [0, 1].map(() => new Promise((resolve, reject) => {
    const worker = new Worker(work, { eval: true, workerData: { index, compiled, pages } });
    worker.once("message", resolve).once("error", reject);
  }));
  const expected = pages.map(({ html, url }) => unchaff.extractJson(html, { url }));
  for (const answer of await Promise.all(answers)) assert.deepEqual(answer, expected);
});
