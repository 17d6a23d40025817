// The engine in WebAssembly answers like the native command.
//
//     MODULE=unchaff_wasm_test.wasm UNCHAFF=target/release/unchaff node --test tests/wasm/test.mjs
//
// Pages are those of the suite of our own. Everything that is found must be equal, to the last field: the engine is a function of its
// input, wherever it runs. ./run builds both sides and calls this.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const { MODULE, UNCHAFF } = process.env;
assert.ok(MODULE && UNCHAFF, "MODULE names the module and UNCHAFF the command; ./run sets both");

const module = new WebAssembly.Module(readFileSync(MODULE));
const suite = fileURLToPath(new URL("../../suite/sites", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "unchaff-wasm-"));
after(() => rmSync(scratch, { recursive: true }));

/** A new instance, and its memory. */
function engine() {
  const { allocate, free, run, memory } = new WebAssembly.Instance(module).exports;
  const ask = (request) => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    const question = allocate(bytes.length);
    new Uint8Array(memory.buffer, question, bytes.length).set(bytes);
    const answer = run(question, bytes.length);
    free(question, bytes.length);
    // The memory may have grown, so views of it are made anew.
    const length = new DataView(memory.buffer).getUint32(answer, true);
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answer + 4, length));
    free(answer, length + 4);
    const said = JSON.parse(text);
    assert.ok(!("error" in said), said.error);
    return said;
  };
  return { ask, memory };
}

const { ask } = engine();

const native = (...options) => execFileSync(UNCHAFF, options, { encoding: "utf8", maxBuffer: 2 ** 28 });

/** The pages of a site of the suite: file and address, in a fixed order, the key page first. */
function pagesOf(site) {
  const { base_url, key_page } = JSON.parse(readFileSync(join(suite, site, "site.json"), "utf8"));
  const folder = join(suite, site, "pages");
  const paths = readdirSync(folder, { recursive: true }).filter((path) => statSync(join(folder, path)).isFile());
  paths.sort().sort((one, other) => (other === key_page) - (one === key_page));
  const address = (path) => new URL(path.replace(/(^|\/)index\.html$/, "$1"), base_url).href;
  return paths.map((path) => ({ file: join(folder, path), url: address(path) }));
}

const sites = readdirSync(suite).sort().map((site) => ({ site, pages: pagesOf(site) }));

/** A page as its bytes. */
const asBytes = ({ file, url }) => ({ bytes: readFileSync(file, "latin1"), url });

/** A page as text, as a browser would hand it over. */
function asText({ file, url }) {
  const bytes = readFileSync(file);
  const [, charset] = /charset=["']?([\w-]+)/i.exec(bytes.toString("latin1")) ?? [];
  return { html: new TextDecoder(charset).decode(bytes), url };
}

/** A list of pages for the native command, which then sees these and no others. */
function listOf(name, pages) {
  const path = join(scratch, `${name}.tsv`);
  writeFileSync(path, pages.map(({ url, file }) => `${url}\t${file}\n`).join(""));
  return path;
}

/** What the native command finds on a page alone. Its name for the page is left out. */
function nativeRecord({ file, url }) {
  const { input, ...record } = JSON.parse(native("extract", file, "--url", url, "--format", "json"));
  return record;
}

test("the module asks its host for nothing", () => assert.deepEqual(WebAssembly.Module.imports(module), []));

test("the suite is there", () => assert.ok(sites.length >= 10 && sites.every(({ pages }) => pages.length >= 5)));

for (const { site, pages } of sites) {
  test(`${site}: pages alone`, () => {
    for (const page of pages) {
      const expected = nativeRecord(page);
      const { alone } = ask({ page: asBytes(page) });
      assert.deepEqual(alone.record, expected, page.url);
      assert.equal(alone.markdown, expected.markdown);
      assert.ok(expected.markdown.trim(), `nothing was found on ${page.url}`);
      // Text has no charset of its own; all else is the same.
      const ofText = ask({ page: asText(page) }).alone.record;
      assert.deepEqual({ ...ofText, charset: expected.charset }, expected, page.url);
    }
  });

  test(`${site}: pages with their site`, () => {
    const list = listOf(site, pages);
    const given = pages.map(asBytes);
    const found = pages.map((_, at) => ask({ page: given[at], siblings: given.filter((_, other) => other !== at) }).of_site);
    for (const kind of ["content", "template", "menu"]) {
      const lines = native("site", list, "--show", kind).trim().split("\n").map((line) => JSON.parse(line));
      const expected = new Map(lines.map((record) => [record.url, record]));
      assert.equal(expected.size, pages.length);
      pages.forEach(({ url }, at) => assert.deepEqual(found[at][kind], expected.get(url), `${kind} of ${url}`));
      assert.ok(lines.some((record) => record.text.trim()), `no ${kind} was found`);
    }
  });
}

// Pages of all sites together fall into clusters. Other distances than the default do sums of another kind.
for (const distance of ["tag-shingles", "class-paths", "rtdm", "fourier"]) {
  test(`clusters by ${distance}`, () => {
    const pages = sites.flatMap(({ pages }) => pages.slice(0, 5));
    const { clusters } = ask({ cluster: pages.map(asBytes), distance });
    const expected = JSON.parse(native("cluster", listOf("all", pages), "--distance", distance, "--format", "json"));
    // The command leaves out digits that are not meant.
    const rounded = (number) => Math.round(number * 1e4) / 1e4;
    const plain = ({ representative, spread, urls }) => ({ representative, spread: rounded(spread), urls });
    assert.deepEqual(clusters.clusters.map(plain), expected.clusters.map(plain));
    assert.equal(clusters.threshold, expected.threshold);
    assert.equal(clusters.dunn === null ? null : rounded(clusters.dunn), expected.dunn);
    assert.ok(clusters.clusters.length > 1 && clusters.clusters.length < pages.length);
  });
}

// The stack of a module is small: nothing may recurse as deep as a page is.
test("a page of deeply nested elements", () => {
  const page = { file: join(scratch, "deep.html"), url: "https://example.org/deep" };
  const prose = "<p>It rained all day, and everybody who could stayed at home until the evening came.</p>";
  const nested = ["div", "b", "ul><li", "table><tr><td", "blockquote", "span"].map((tag) => `<${tag}>`.repeat(20_000) + prose);
  writeFileSync(page.file, `<title>Deep</title>${nested.join("")}`);
  const expected = nativeRecord(page);
  assert.deepEqual(ask({ page: asBytes(page) }).alone.record, expected);
  const { of_site } = ask({ page: asBytes(page), siblings: sites[0].pages.map(asBytes) });
  assert.equal(of_site.content.url, page.url);
  const { clusters } = ask({ cluster: [page, ...sites[0].pages].map(asBytes), distance: "rtdm" });
  assert.ok(clusters.clusters.length > 1);
});

test("memory is given back", () => {
  const { ask, memory } = engine();
  const request = { page: asBytes(sites[0].pages[0]), siblings: sites[0].pages.slice(1).map(asBytes) };
  const times = (count) => {
    for (let at = 0; at < count; at++) ask(request);
    return memory.buffer.byteLength;
  };
  assert.equal(times(5), times(50));
});

test("a wrong request is told what is wrong", () => {
  assert.throws(() => ask({}), /a request is a page/);
  assert.throws(() => ask({ page: { url: "https://example.org/" } }), /either html or bytes/);
  assert.throws(() => ask({ cluster: [], distance: "far" }), /a distance is/);
});
