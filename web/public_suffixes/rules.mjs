// Writes the rules of a public suffix list as the crate beside this searches them: one a line, the labels from the last to the first, sorted by
// bytes; names in other scripts also as addresses have them.
//
//     node rules.mjs LIST > rules.txt

import { readFileSync } from "node:fs";
import { domainToASCII } from "node:url";

const rules = readFileSync(process.argv[2], "utf8")
  .split(/\s+/)
  .filter((rule) => rule && !rule.startsWith("//"));
const encoded = rules.map((rule) => {
  const [, mark, name] = /^(\*\.|!)?(.*)$/.exec(rule);
  return (mark ?? "") + domainToASCII(name);
});
const turned = new Set([...rules, ...encoded].map((rule) => rule.split(".").reverse().join(".")));
const sorted = [...turned].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
process.stdout.write(sorted.join("\n"));
