// In Deno, where there is one: the package as it is, in the main thread and in a worker. `npm install deno` brings it.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { scratchFile } from "./pages_of_ours.mjs";

const deno = process.env.UNCHAFF_DENO ?? "deno";
const skip = spawnSync(deno, ["--version"]).status === 0 ? false : "there is no Deno; UNCHAFF_DENO names one";

test("in Deno and in a worker of it", { skip, timeout: 120_000 }, () => {
  const index = new URL("../package/index.js", import.meta.url).href;
  const use = `import { load } from ${JSON.stringify(index)}; const unchaff = await load(); const found = unchaff.extract("<nav><a href=/>Home</a></nav><p>It rained all day at <a href='http://bücher.example/'>the books</a>, and everybody stayed at home.</p>");`;
  const worker = scratchFile("worker.mjs", `${use} self.postMessage(found.text.trim());`);
  const main = scratchFile("main.mjs", `${use} console.log(found.markdown.trim());
    const worker = new Worker(new URL(${JSON.stringify(`file://${worker}`)}), { type: "module" });
    worker.onmessage = ({ data }) => { console.log(data); worker.terminate(); };`);
  const folder = fileURLToPath(new URL("../package", import.meta.url));
  const said = execFileSync(deno, ["run", "--no-config", `--allow-read=${folder},${worker}`, main], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  assert.equal(said, "It rained all day at [the books](http://xn--bcher-kva.example/), and everybody stayed at home.\nIt rained all day at the books, and everybody stayed at home.\n");
});
