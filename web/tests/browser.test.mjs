// The package in a browser, in a page and in a worker, as it is served: what it answers there is what it answers here.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { removeWhenLeft } from "../../tests/browser_profile.mjs";
import { load } from "../package/index.js";
import { sites } from "./pages_of_ours.mjs";

const names = ["chromium", "chromium-browser", "google-chrome"];
const found = process.env.PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
const browser = process.env.UNCHAFF_CHROMIUM ?? found;
const skip = browser || process.env.CI ? false : "there is no Chromium";

const [{ pages }] = sites;
const work = `
  import { load, UnchaffError } from "/package/index.js";
  export async function answers() {
    const started = performance.now();
    const unchaff = await load();
    const ready = performance.now() - started;
    const pages = await (await fetch("/pages.json")).json();
    const site = unchaff.learn(pages);
    const code = (() => { try { unchaff.extract(null) } catch (error) { return error instanceof UnchaffError && error.code } })();
    return { ready, code, alone: pages.map(({ html, url }) => unchaff.extractJson(html, { url })), withSite: pages.map(({ html, url }) => site.extractJson(html, { url })) };
  }`;
const files = {
  "/": ["text/html", `<!doctype html><script type=module>
    import { answers } from "/work.js";
    const tell = (path, value) => fetch(path, { method: "POST", body: JSON.stringify(value) });
    const failed = (error) => ({ error: String(error?.stack ?? error?.message ?? error) });
    tell("/page", await answers().catch(failed));
    const worker = new Worker("/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => tell("/worker", data);
    worker.onerror = (error) => tell("/worker", failed(error));
    </script>`],
  "/work.js": ["text/javascript", work],
  "/worker.js": ["text/javascript", `import { answers } from "/work.js"; postMessage(await answers().catch((error) => ({ error: String(error) })));`],
  "/pages.json": ["application/json", JSON.stringify(pages.map(({ html, url }) => ({ html: html.toString("utf8"), url })))],
  "/package/unchaff.wasm": ["application/wasm", readFileSync(new URL("../package/unchaff.wasm", import.meta.url))],
  ...Object.fromEntries(["index.js", "engine.js"].map((name) => [`/package/${name}`, ["text/javascript", readFileSync(fileURLToPath(new URL(`../package/${name}`, import.meta.url)))]])),
};

test("in a page and in a worker of Chromium", { skip, timeout: 120_000 }, async () => {
  assert.ok(browser, "there is no Chromium; install it, or name it in UNCHAFF_CHROMIUM");
  const told = {};
  let settle;
  const all = new Promise((resolve) => (settle = resolve));
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const parts = await request.toArray();
      told[request.url] = JSON.parse(Buffer.concat(parts).toString());
      response.end();
      if (told["/page"] && told["/worker"]) settle();
      return;
    }
    const [type, body] = files[request.url] ?? ["text/plain", undefined];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const profile = mkdtempSync(join(tmpdir(), "unchaff-browser-"));
  const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", `--user-data-dir=${profile}`];
  const chromium = spawn(browser, [...options, `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
  try {
    await Promise.race([all, once(chromium, "exit").then(() => assert.fail("Chromium ended by itself"))]);
  } finally {
    chromium.removeAllListeners();
    const ended = once(chromium, "exit");
    chromium.kill();
    await ended;
    server.close();
    server.closeAllConnections();
    await removeWhenLeft(profile);
  }
  const unchaff = await load();
  const given = pages.map(({ html, url }) => ({ html: html.toString("utf8"), url }));
  const site = unchaff.learn(given);
  for (const where of ["/page", "/worker"]) {
    const { ready, error, ...answers } = told[where];
    assert.equal(error, undefined);
    assert.equal(answers.code, "option");
    assert.deepEqual(answers.alone, given.map(({ html, url }) => unchaff.extractJson(html, { url })));
    assert.deepEqual(answers.withSite, given.map(({ html, url }) => site.extractJson(html, { url })));
    console.log(`ready after ${Math.round(ready)} ms in the ${where.slice(1)}`);
  }
});
