// The pages of the project's own suites, and the native command to compare with.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const { UNCHAFF } = process.env;
assert.ok(UNCHAFF, "UNCHAFF names the native command; ../test builds it and says so");

export const root = fileURLToPath(new URL("../..", import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), "unchaff-web-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export const scratchFile = (name, text) => {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
};

/** What the native command prints. */
export const native = (...options) => execFileSync(UNCHAFF, options, { encoding: "utf8", maxBuffer: 2 ** 30 });

/** All files below a folder, in a fixed order. */
function filesBelow(folder) {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path));
  return paths.filter((path) => statSync(path).isFile()).sort();
}

/** The pages of a site of the suite, the key page first. */
function pagesOf(site) {
  const { base_url, key_page } = JSON.parse(readFileSync(join(site, "site.json"), "utf8"));
  const folder = join(site, "pages");
  const address = (path) => new URL(path.split(sep).join("/").replace(/(^|\/)index\.html$/, "$1"), base_url).href;
  const pages = filesBelow(folder).map((file) => ({ file, path: file.slice(folder.length + 1) }));
  pages.sort((one, other) => (other.path === key_page) - (one.path === key_page));
  return pages.map(({ file, path }) => ({ file, url: address(path), html: readFileSync(file) }));
}

const suite = join(root, "suite", "sites");

/** The sites of the suite, each with its pages: file, address and bytes. */
export const sites = readdirSync(suite)
  .sort()
  .map((site) => ({ site, pages: pagesOf(join(suite, site)) }));

/** Pages of no site: those of the suite of single pages, of tests and of examples. */
export const singles = ["suite/pages", "tests/pages", "examples"]
  .flatMap((folder) => filesBelow(join(root, folder)))
  .filter((file) => /\.html?$/.test(file))
  .map((file, at) => ({ file, url: `https://example.org/${at}/${encodeURIComponent(basename(file))}`, html: readFileSync(file) }));

/** A page as text, as a browser would hand it over. */
export function asText({ html }) {
  const [, charset] = /charset=["']?([\w-]+)/i.exec(html.toString("latin1")) ?? [];
  return new TextDecoder(charset).decode(html);
}

let lists = 0;

/** A list of pages for the native command, which then sees these and no others. */
export const listOf = (pages) => scratchFile(`${(lists += 1)}.tsv`, pages.map(({ url, file }) => `${url}\t${file}\n`).join(""));

/** Lines of JSON of the native command, without the name that it has for the page. */
const lines = (text) => text.trimEnd().split("\n").map((line) => line.replace(/"input":"(?:[^"\\]|\\.)*",/, ""));

/** What the native command says of each page, in their order. */
export function nativeLines(pages, command, ...options) {
  const list = scratchFile(`${(lists += 1)}.jsonl`, pages.map(({ url, file }) => `${JSON.stringify({ url, path: file })}\n`).join(""));
  const found = lines(native(command, list, "--format", "json", ...options));
  assert.equal(found.length, pages.length);
  return found;
}

/** What the native command says of each page of a site, by address. */
export function nativeSite(pages, kind) {
  const found = lines(native("site", listOf(pages), "--show", kind));
  return new Map(found.map((line) => [JSON.parse(line).url, line]));
}
