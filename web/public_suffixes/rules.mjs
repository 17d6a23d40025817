// Writes the rules of a public suffix list as the crate beside this searches them: one a line, the labels from the last to the first, sorted by
// bytes; names in other scripts as addresses have them. What a line has in common with the one before is told by its first character: a space and as many
// characters of Unicode above it as bytes are the same.
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
const turned = new Set(encoded.map((rule) => rule.split(".").reverse().join(".")));
const sorted = [...turned].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
const shared = (one, other) => {
  let length = 0;
  while (length < 90 && length < one.length && one[length] === other[length]) length += 1;
  return length;
};
const lines = sorted.map((rule) => Buffer.from(rule));
const packed = lines.map((line, at) => {
  const length = at ? shared(line, lines[at - 1]) : 0;
  return Buffer.concat([Buffer.of(32 + length), line.subarray(length), Buffer.from("\n")]);
});
process.stdout.write(Buffer.concat(packed));
