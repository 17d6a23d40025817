// Speed and answers of this package beside others, in one run on one thread: each page is given to all of them, one after another, in turns.
//
//     npm install && node compare.mjs FOLDER [PAGES]
//
// FOLDER has sets of pages: SET/pages/ID.html and, where it is known, SET/gold/ID.txt. PAGES are taken of each set, spread evenly; default 40.
// All are given the page as a string and asked for the content as text and as HTML; what they need to parse is part of their time. F1 is of
// the words of the text, as bags, against the gold.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { JSDOM, VirtualConsole } from "jsdom";
import { parseHTML } from "linkedom";
import { load } from "../package/index.js";

const [folder, most = "40"] = process.argv.slice(2);
if (!folder) throw new Error("node compare.mjs FOLDER [PAGES]: a folder with sets of pages, SET/pages/ID.html and SET/gold/ID.txt");

const unchaff = await load();
const silent = new VirtualConsole();
const text = (html) => parseHTML(`<html><body>${html ?? ""}</body></html>`).document.body.textContent;

const contenders = {
  unchaff: (html, url) => unchaff.extract(html, { url }).text,
  "readability, jsdom": (html, url) => {
    const dom = new JSDOM(html, { url, virtualConsole: silent });
    const found = new Readability(dom.window.document).parse();
    dom.window.close();
    return found?.textContent ?? "";
  },
  "readability, linkedom": (html) => new Readability(parseHTML(html).document).parse()?.textContent ?? "",
  // Its answer is HTML; that its text is made of it is not part of its time.
  "defuddle, linkedom": async (html, url) => ({ html: (await Defuddle(parseHTML(html).document, url)).content }),
};

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
function f1(found, gold) {
  const left = new Map();
  const [has, wants] = [words(found), words(gold)];
  if (!has.length || !wants.length) return has.length === wants.length ? 1 : 0;
  for (const word of wants) left.set(word, (left.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of has) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      both += 1;
      left.set(word, count - 1);
    }
  }
  return (2 * both) / (has.length + wants.length);
}

const pages = readdirSync(folder).flatMap((set) => {
  const names = existsSync(join(folder, set, "pages")) ? readdirSync(join(folder, set, "pages")).filter((name) => name.endsWith(".html")).sort() : [];
  const step = Math.max(1, names.length / Number(most));
  const taken = Array.from({ length: Math.min(names.length, Number(most)) }, (_, at) => names[Math.floor(at * step)]);
  return taken.map((name) => {
    const gold = join(folder, set, "gold", name.replace(/\.html$/, ".txt"));
    return { html: readFileSync(join(folder, set, "pages", name), "utf8"), gold: existsSync(gold) ? readFileSync(gold, "utf8") : undefined };
  });
});

// Consoles are for who runs this.
console.warn = console.error = () => {};
const results = Object.fromEntries(Object.keys(contenders).map((name) => [name, { times: [], f1: [], failed: 0 }]));
const megabytes = pages.reduce((sum, { html }) => sum + Buffer.byteLength(html), 0) / 1e6;
for (const round of ["warm", "measured"]) {
  for (const { html, gold } of round === "warm" ? pages.slice(0, 30) : pages) {
    for (const [name, extract] of Object.entries(contenders)) {
      const result = results[name];
      const start = process.cpuUsage();
      let found;
      try {
        found = await extract(html, "https://example.org/page");
      } catch {
        found = undefined;
      }
      const { user, system } = process.cpuUsage(start);
      if (round === "warm") continue;
      result.times.push((user + system) / 1e3);
      if (found === undefined) result.failed += 1;
      const said = found === undefined ? "" : typeof found === "string" ? found : text(found.html);
      if (gold !== undefined) result.f1.push(f1(said, gold));
    }
  }
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
console.log(`${pages.length} pages, ${megabytes.toFixed(1)} MB, Node ${process.version}; time is that of the processor\n`);
console.log("| | ms a page, mean | median | slowest | MB/s | failed | F1 |\n|---|---|---|---|---|---|---|");
for (const [name, { times, f1, failed }] of Object.entries(results)) {
  const sorted = times.toSorted((one, other) => one - other);
  const speed = megabytes / (mean(times) * times.length * 1e-3);
  console.log(`| ${name} | ${mean(times).toFixed(1)} | ${sorted[sorted.length >> 1].toFixed(1)} | ${sorted.at(-1).toFixed(0)} | ${speed.toFixed(1)} | ${failed} | ${mean(f1).toFixed(3)} |`);
}
