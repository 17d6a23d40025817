// The page of the service, driven in a real browser:
//
//     node page_in_chromium.mjs ADDRESS SCREENSHOTS
//
// ADDRESS is a running service, SCREENSHOTS a folder for pictures of it. Needs puppeteer-core and axe-core beside it, and Chromium (CHROMIUM).
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
const require = createRequire(join(process.cwd(), "package.json"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [address, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-proxy-server"],
});

// A page of the browser, with all that goes wrong in it.
async function fresh() {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const wrong = [];
  const elsewhere = [];
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("about:")) elsewhere.push(url);
  });
  // What the policy stops never leaves the browser, and so has no error of the network.
  page.on("requestfailed", (request) => {
    const at = elsewhere.indexOf(request.url());
    if (at >= 0 && !request.failure()?.errorText.startsWith("net::")) elsewhere.splice(at, 1);
  });
  await page.setViewport({ width: 1280, height: 900 });
  return { page, wrong, elsewhere };
}

const settled = (page) => page.waitForFunction(() => !["", "Working…"].includes(document.getElementById("status").textContent), { timeout: 30000 });
const status = (page) => page.$eval("#status", (status) => status.textContent);
const out = (page) => page.$eval("#out", (out) => out.textContent);

// What a frame shows, by what the browser laid out.
async function shown(page) {
  const session = await page.createCDPSession();
  const { documents, strings } = await session.send("DOMSnapshot.captureSnapshot", { computedStyles: ["visibility"] });
  await session.detach();
  const texts = documents.slice(1).map(({ layout }) =>
    layout.text.map((text, at) => (text >= 0 && strings[layout.styles[at]?.[0]] !== "hidden" ? strings[text] : "")).join(" "));
  return texts;
}

async function view(page, name) {
  // One that is chosen already is chosen no more.
  const isNew = await page.$eval(`[name=view][value=${name}]`, (radio) => !radio.checked);
  if (isNew) {
    await page.evaluate(() => { document.getElementById("status").textContent = ""; });
    await page.click(`[name=view][value=${name}]`);
  }
  await settled(page);
  await new Promise((done) => setTimeout(done, 300));
  return (await shown(page))[0] ?? "";
}

async function audit(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { iframes: false, resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), [], what);
}

try {
  // Each view shows what it says.
  const { page, wrong, elsewhere } = await fresh();
  await page.goto(address);
  await settled(page);
  assert.equal(await status(page), "The orchard that moved uphill | The Valley Post".split(" | ")[0]);
  assert.match(await out(page), /^# The orchard that moved uphill/);
  assert.doesNotMatch(await out(page), /Most read/);
  const inside = "dug up, wrapped in wet sacking", around = "Milk price falls again";
  const has = (text, piece) => text.replace(/\s+/g, " ").includes(piece);
  let text = await view(page, "original");
  assert.ok(has(text, inside) && has(text, around), `original: ${text}`);
  text = await view(page, "complement");
  assert.ok(!has(text, inside) && has(text, around), `complement: ${text}`);
  await view(page, "content");
  assert.match(await page.$eval("#frame-a", (frame) => frame.srcdoc), /title="[^"]+ [\d.]+/, "hover tells why");
  await page.screenshot({ path: join(pictures, "content-marked.png") });
  await page.click("[name=way][value=alone]");
  await settled(page);
  text = await view(page, "content");
  assert.ok(has(text, inside) && !has(text, around), `content: ${text}`);
  text = await view(page, "template");
  assert.ok(!has(text, inside) && has(text, "All rights reserved"), `template: ${text}`);
  text = await view(page, "menu");
  assert.ok(!has(text, inside) && has(text, "Markets"), `menu: ${text}`);
  assert.match(await out(page), /\[Markets\]/);
  text = await view(page, "segments");
  assert.match(await page.$eval("#told-a", (told) => told.textContent), /segments/);
  await page.screenshot({ path: join(pictures, "segments.png") });

  // Keys, tabs, comparison.
  await page.focus("#theme");
  await page.keyboard.press("2");
  await settled(page);
  assert.equal(await page.$eval("[name=view]:checked", (radio) => radio.value), "content");
  for (const [tab, piece] of [["text", "The blossom has gained"], ["metadata", "Marta Lindqvist"], ["why", "became"], ["json", '"schema": "unchaff/extraction/']]) {
    await page.click(`#tab-${tab}`);
    assert.ok((await out(page)).includes(piece), tab);
  }
  await page.focus("#tab-json");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.$eval("[role=tab][aria-selected=true]", (tab) => tab.id), "tab-markdown");
  await page.keyboard.press("c");
  await page.waitForFunction(() => /words are in both/.test(document.getElementById("status").textContent));
  await page.select("#technique-b", "ccb");
  await page.waitForFunction(() => document.getElementById("told-b").textContent.startsWith("ccb:"));
  await page.screenshot({ path: join(pictures, "compared.png") });
  await page.keyboard.press("c");

  // A page that is pasted, and a link to it.
  const pasted = "<title>Pasted</title><nav><a href=/>Home</a></nav><h1>Pasted by hand</h1><p>It rained all day, and in the evening the river stood at the doors.</p>";
  await page.$eval("#source", (source, html) => { source.value = html; }, pasted);
  await page.evaluate(() => { document.getElementById("status").textContent = ""; });
  await page.click("#ask .primary");
  await settled(page);
  await page.waitForFunction(() => location.hash.includes("page="));
  assert.match(await out(page), /river stood at the doors/);
  const link = page.url();
  const other = await fresh();
  await other.page.goto(link);
  await settled(other.page);
  assert.match(await out(other.page), /river stood at the doors/);
  assert.deepEqual(other.wrong, []);

  // A file, in its own charset.
  const file = join(pictures, "latin.html");
  writeFileSync(file, Buffer.from("<meta charset=iso-8859-1><title>Gr\u00fc\u00dfe</title><p>Gr\u00fc\u00dfe aus der Stadt, in der es immerzu regnet und niemand einen Schirm hat.</p>", "latin1"));
  await (await page.$("#file")).uploadFile(file);
  await page.waitForFunction(() => document.getElementById("out").textContent.includes("Grüße aus der Stadt"));

  // An address is fetched only where that is allowed, and the page says so.
  await page.$eval("#source", (source) => { source.value = "https://example.org/"; });
  const before = wrong.length;
  await page.click("#ask .primary");
  await page.waitForFunction(() => document.getElementById("status").classList.contains("bad"));
  assert.match(await status(page), /--fetch/);
  // The browser itself tells that the request was refused.
  wrong.splice(before).forEach((said) => assert.match(said, /403/));
  assert.deepEqual(wrong, []);
  assert.deepEqual(elsewhere, []);

  // Themes, a phone, and accessibility in all of them.
  for (const [name, scheme, width, height] of [["light", "light", 1280, 900], ["dark", "dark", 1280, 900], ["phone-light", "light", 390, 844], ["phone-dark", "dark", 390, 844]]) {
    const { page, wrong } = await fresh();
    await page.setViewport({ width, height });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.goto(`${address}/#view=content&tab=metadata`);
    await settled(page);
    await audit(page, name);
    await page.click("#tab-markdown");
    await new Promise((done) => setTimeout(done, 300));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(wide, false, `${name} is too wide`);
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    assert.deepEqual(wrong, [], name);
  }
  const themed = await fresh();
  await themed.page.goto(address);
  await settled(themed.page);
  const ground = () => themed.page.$eval("body", (body) => getComputedStyle(body).backgroundColor);
  await themed.page.click("#theme");
  const light = await ground();
  await themed.page.click("#theme");
  assert.notEqual(await ground(), light);

  // A page that tries to run script, to leave its frame, and to load things.
  const hostile = `<title>"><script>top.hacked = 1; hacked = 1</script></title><meta name=author content="<img src=x onerror='top.hacked=2'>">
    <base href="https://evil.invalid/"><meta http-equiv=refresh content="0;url=https://evil.invalid/refresh"><link rel=stylesheet href=https://evil.invalid/a.css>
    <style>@import url(https://evil.invalid/b.css); body{background:url(https://evil.invalid/c.png)}</style>
    <h1>Hostile</h1><p>It rained all day, and in the evening the river stood at the doors of the lower town.<img src=x onerror="top.hacked=3"><img src=https://evil.invalid/d.png></p>
    <script>top.hacked = 4; top.location = "https://evil.invalid/top"; parent.document.title = "hacked"</script><svg onload="top.hacked=5"></svg>
    <iframe src="javascript:top.hacked=6"></iframe><iframe srcdoc="<script>top.hacked=7</script>"></iframe><object data="https://evil.invalid/e"></object>
    </iframe></body></html><script>top.hacked = 8</script><form action=https://evil.invalid/f><button autofocus onfocus="top.hacked=9">x</button></form>
    <a href="javascript:top.hacked=10" target=_top style="position:fixed;inset:0;z-index:9">a large link</a>`;
  for (const name of ["original", "content", "complement", "template", "menu", "segments"]) {
    const { page, wrong, elsewhere } = await fresh();
    await page.goto(`${address}/#view=${name}`);
    await settled(page);
    await page.$eval("#source", (source, html) => { source.value = html; }, hostile);
    await page.evaluate(() => { document.getElementById("status").textContent = ""; });
    await page.click("#ask .primary");
    await settled(page);
    await new Promise((done) => setTimeout(done, 500));
    const box = await (await page.$("#frame-a")).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await new Promise((done) => setTimeout(done, 300));
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined, name);
    assert.equal(await page.title(), "unchaff", name);
    assert.ok(page.url().startsWith(address), name);
    assert.deepEqual(elsewhere, [], name);
    for (const tab of ["markdown", "text", "metadata", "why", "json"]) await page.click(`#tab-${tab}`);
    assert.equal(await page.evaluate(() => globalThis.hacked), undefined, name);
    assert.ok(!wrong.some((said) => said.startsWith("dialog")), name);
  }
  console.log("the page does what it says");
} finally {
  await browser.close();
}
