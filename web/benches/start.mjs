// How long the package takes to start: to compile the module, and to answer a first page. In this process nothing else runs.
//
//     node start.mjs

import { readFileSync } from "node:fs";
import { load } from "../package/index.js";

const html = readFileSync(new URL("../../examples/lighthouse.html", import.meta.url), "utf8");
const measured = async (name, work) => {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  console.log(`${name}: ${(performance.now() - start).toFixed(0)} ms, ${((user + system) / 1e3).toFixed(0)} ms of all processors`);
  return result;
};

const unchaff = await measured("load", () => load());
await measured("first page", () => unchaff.extract(html));
await measured("the same again", () => unchaff.extract(html));
