// The engine in WebAssembly answers like the native command, byte by byte: it is a function of its input, wherever it runs.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "../package/index.js";
import { asText, listOf, native, nativeLines, nativeSite, root, scratchFile, singles, sites } from "./pages_of_ours.mjs";

const unchaff = await load();
const all = [...sites.flatMap(({ pages }) => pages), ...singles];

test("the pages are there", () => {
  assert.ok(sites.length >= 10 && sites.every(({ pages }) => pages.length >= 5));
  assert.ok(singles.length >= 50);
});

for (const { site, pages } of [...sites, { site: "single pages", pages: singles }]) {
  test(`${site}: pages alone`, () => {
    const expected = nativeLines(pages, "extract");
    pages.forEach((page, at) => {
      assert.equal(unchaff.extractJson(page.html, { url: page.url }), expected[at], page.url);
      const { html, ...record } = unchaff.extract(page.html, { url: page.url });
      assert.deepEqual(record, JSON.parse(expected[at]));
      assert.equal(record.text.trim() === "", html.trim() === "", page.url);
      // Text has no charset of its own; all else is the same.
      const { html: _, ...ofText } = unchaff.extract(asText(page), { url: new URL(page.url) });
      const charset = { name: "UTF-8", source: "given" };
      assert.deepEqual(withoutSource(ofText), withoutSource({ ...JSON.parse(expected[at]), charset }), page.url);
    });
  });
}

/** Positions are those of the text, which a byte order mark is not part of. */
const withoutSource = (record) => ({ ...record, blocks: record.blocks.map((block) => ({ ...block, nodes: block.nodes.map(({ source, ...node }) => node) })) });

/** Explanations are the same but for the last digits of numbers: exponentials and logarithms are those of the platform, and what is found is not that fine. */
function sameExplanation(found, expected) {
  const plain = ({ columns, rows, notes }) => ({ columns, notes, rows: rows.map(({ path, tag, remark }) => ({ path, tag, remark })) });
  assert.deepEqual(plain(found), plain(expected));
  const numbers = (explanation) => explanation.rows.flatMap(({ values }) => values);
  const near = (one, other) => one === other || Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other));
  const others = numbers(expected);
  assert.equal(numbers(found).length, others.length);
  numbers(found).forEach((number, at) => assert.ok(near(number, others[at]), `${number} for ${others[at]}`));
}

for (const [kind, command] of [["content", "extract"], ["menu", "menu"], ["template", "template"]]) {
  test(`labels of the ${kind} are the blocks of the command`, () => {
    const expected = nativeLines(all, command, "--explain").map((line) => JSON.parse(line));
    all.forEach((page, at) => {
      const found = unchaff.detect(page.html, { kind, url: page.url, explain: true });
      const { blocks, technique, shows, warnings, explanation } = expected[at];
      assert.deepEqual([found.blocks, found.technique, found.kind], [blocks, technique, shows], page.url);
      assert.deepEqual(found.warnings, warnings);
      sameExplanation(found.explanation, explanation);
      const nodes = blocks.flatMap((block) => block.nodes);
      assert.deepEqual(new Set([...found.nodes, ...found.texts].map(({ path }) => path)), new Set(nodes.map(({ path }) => path)));
      assert.ok(found.nodes.every(({ tag }) => tag !== "#text") && found.texts.every(({ tag, text }) => tag === "#text" && text >= 0));
    });
  });
}

for (const technique of unchaff.techniques().filter(({ level, kind }) => level === "page" && kind !== "segments")) {
  test(`${technique.name}, from pages`, () => {
    const pages = sites.map(({ pages }) => pages[0]);
    const command = { menu: "menu", template: "template" }[technique.kind] ?? "extract";
    const expected = nativeLines(pages, command, "--technique", technique.name);
    pages.forEach((page, at) => assert.equal(unchaff.extractJson(page.html, { url: page.url, technique: technique.name }), expected[at], page.url));
  });
}

for (const { site, pages } of sites) {
  test(`${site}: pages with their site`, () => {
    const learned = unchaff.learn(pages);
    assert.equal(learned.pages, Math.min(pages.length, 64));
    const model = unchaff.SiteModel.fromBytes(learned.toBytes());
    for (const kind of ["content", "template", "menu"]) {
      const expected = nativeSite(pages, kind);
      assert.equal(expected.size, pages.length);
      for (const { url, html } of pages) assert.equal(model.extractJson(html, { url, kind }), expected.get(url), `${kind} of ${url}`);
    }
    const [key, ...others] = pages;
    const content = JSON.parse(nativeSite(pages, "content").get(key.url));
    assert.deepEqual(unchaff.detect(key.html, { url: key.url, pages }).blocks, content.blocks);
    assert.deepEqual(model.detect(key.html, { url: key.url }).blocks, content.blocks);
    assert.ok(others.length > 0);
  });
}

test("techniques that compare pages", () => {
  const { pages } = sites.find(({ site }) => site === "harbour-news") ?? sites[0];
  const [key, ...others] = pages;
  const list = listOf(pages);
  for (const { name, kind } of unchaff.techniques().filter(({ level }) => level === "site")) {
    const command = { menu: "menu", template: "template" }[kind] ?? "extract";
    const line = native(command, key.url, "--site", list, "--technique", name, "--format", "json").trimEnd();
    const found = unchaff.extractJson(key.html, { url: key.url, technique: name, pages: others });
    assert.equal(found, line.replace(/"input":"(?:[^"\\]|\\.)*",/, ""), name);
  }
});

// Pages of all sites together fall into clusters. Other distances than the default do sums of another kind.
for (const distance of ["tag-shingles", "class-paths", "rtdm", "fourier"]) {
  test(`clusters by ${distance}`, () => {
    const pages = sites.flatMap(({ pages }) => pages.slice(0, 5));
    const found = unchaff.cluster(pages, { distance });
    const { source, failed, ...expected } = JSON.parse(native("cluster", listOf(pages), "--distance", distance, "--format", "json"));
    assert.deepEqual(found, expected);
    assert.ok(found.clusters.length > 1 && found.clusters.length < pages.length);
  });
}

test("segments, from boxes and from the page alone", () => {
  const suite = join(root, "suite", "segments");
  const layouts = readdirSync(join(suite, "layouts")).map((name) => readFileSync(join(suite, "layouts", name), "utf8"));
  const techniques = unchaff.techniques().filter(({ kind }) => kind === "segments");
  const plain = ({ segments, ...found }) => ({ ...found, segments: segments.map(({ nodes, ...segment }) => ({ ...segment, nodes: nodes.map(({ node, path }) => ({ node, path })) })) });
  for (const name of readdirSync(suite).filter((name) => name !== "layouts")) {
    const file = join(suite, name, "index.dom.html");
    const html = readFileSync(file);
    for (const { name: technique, level } of techniques) {
      for (const boxes of level === "boxes" ? layouts.slice(0, 2) : [null]) {
        const given = boxes === null ? [] : ["--boxes", scratchFile("boxes.json", boxes)];
        const { input, ...expected } = JSON.parse(native("segment", file, "--technique", technique, ...given));
        assert.deepEqual(plain(unchaff.segment(boxes, { html, technique })), expected, `${technique} of ${name}`);
      }
    }
  }
});

// Techniques whose weights would not fit into the module.
const LEFT_OUT = ["victor", "web2text"];

test("the list of techniques is the command's, but for those with large weights", () => {
  const listed = unchaff.techniques();
  const names = native("techniques").split("\n").flatMap((line) => /^([a-z0-9-]+) {2,}\w+ {2,}/.exec(line)?.[1] ?? []);
  assert.deepEqual(listed.map(({ name }) => name), names.filter((name) => !LEFT_OUT.includes(name)));
  for (const kind of ["content", "template", "menu", "comments", "ads", "segments"]) {
    assert.ok(listed.some((technique) => technique.kind === kind && technique.default), kind);
  }
  assert.ok(listed.every(({ family }) => family !== "other"));
  const auto = listed.find(({ name }) => name === "auto");
  assert.deepEqual(auto.parameters.map(({ name, default: value }) => [name, value]), [["favor", "balanced"]]);
});
