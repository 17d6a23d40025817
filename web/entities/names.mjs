// Writes the names of characters as the crate beside this reads them, from the source of the crate `entities`: sorted, of each what it does not share with the one before, after a
// character that says how much it shares (a space and so many above it); then `;`, or `!` if the name may stand without a semicolon too, and the characters. A byte of 1 ends each.
//
//     node names.mjs entities.rs > names.txt

import { readFileSync } from "node:fs";

const entity = /entity: "&([^"]*)", codepoints: Codepoints::\w+\(([\d, ]+)\)/g;
const all = new Map([...readFileSync(process.argv[2], "utf8").matchAll(entity)].map(([, name, points]) => [name, String.fromCodePoint(...points.split(",").map(Number))]));
const whole = [...all.keys()].filter((name) => name.endsWith(";")).map((name) => name.slice(0, -1));
const lone = [...all.keys()].filter((name) => !name.endsWith(";") && !all.has(`${name};`));
if (whole.length < 2000 || lone.length > 0) throw new Error(`${process.argv[2]} is not the list that was expected: ${whole.length} names, ${lone.join(", ")} only without a semicolon`);
let before = "";
for (const name of whole.sort()) {
  let shared = 0;
  while (shared < name.length && name[shared] === before[shared]) shared += 1;
  process.stdout.write(`${String.fromCharCode(32 + shared)}${name.slice(shared)}${all.has(name) ? "!" : ";"}${all.get(`${name};`)}\x01`);
  before = name;
}
