// The workbench, driven in a real browser:
//
//     node workbench_in_chromium.mjs ADDRESS FOLDER SCREENSHOTS
//
// ADDRESS is a service with --workbench FOLDER, which has the site `shop/tea` and a hostile page (see workbench_suite.py); SCREENSHOTS is a folder for pictures. Needs
// puppeteer-core and axe-core beside it, and Chromium (CHROMIUM).
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
const require = createRequire(join(process.cwd(), "package.json"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [address, folder, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-proxy-server"],
});

async function fresh(who, hash = "", scheme = "light", width = 1280, height = 1000) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const wrong = [], elsewhere = [];
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => { wrong.push(`dialog: ${dialog.message()}`); dialog.accept(); });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("data:") && !url.startsWith("about:")) elsewhere.push(url);
  });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.evaluateOnNewDocument((who) => localStorage.setItem("who", who), who);
  await page.goto(`${address}/workbench${hash}`);
  await page.waitForFunction(() => /said/.test(document.getElementById("status").textContent), { timeout: 30000 });
  return { page, wrong, elsewhere };
}

const status = (page) => page.$eval("#status", (status) => status.textContent);
const told = (page, pattern) => page.waitForFunction((pattern) => new RegExp(pattern).test(document.getElementById("status").textContent), { timeout: 30000 }, pattern);
const frame = async (page) => (await (await page.$("#frame")).contentFrame());
const labels = async (page, selector) => (await frame(page)).$eval(selector, (node) => node.dataset.l ?? "");
async function click(page, selector) {
  const node = await (await frame(page)).$(selector);
  await node.evaluate((node) => node.scrollIntoView({ block: "center" }));
  const box = await node.boundingBox();
  await page.mouse.click(box.x + Math.min(6, box.width / 2), box.y + Math.min(6, box.height / 2));
}

async function audit(page, what) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { iframes: false, resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), [], what);
}

try {
  // Anna labels with the mouse: an element, text, the menu, segments; takes it back, and saves.
  const anna = await fresh("anna", "#site=shop%2Ftea&page=index.html");
  let { page } = anna;
  await click(page, "h1");
  assert.equal(await labels(page, "h1"), "content");
  await click(page, "h1");
  assert.equal(await labels(page, "h1"), "", "the same again takes it away");
  await page.keyboard.press("z");
  assert.equal(await labels(page, "h1"), "content");
  await page.keyboard.press("y");
  assert.equal(await labels(page, "h1"), "");
  // The page looks as its folder has it: sheet, picture, and a picture of the sheet.
  const looks = await (await frame(page)).evaluate(() => [getComputedStyle(document.querySelector("h1")).color, getComputedStyle(document.querySelector("h1")).backgroundImage.slice(0, 20),
    document.querySelector("img").naturalWidth, getComputedStyle(document.querySelector("nav")).backgroundColor]);
  assert.deepEqual(looks, ["rgb(0, 0, 255)", 'url("data:image/png;', 2, "rgb(34, 51, 68)"]);
  await page.keyboard.press("c");
  assert.equal(await (await frame(page)).$eval("nav", (nav) => getComputedStyle(nav).backgroundColor), "rgba(0, 0, 0, 0)", "without its styles");
  await page.keyboard.press("c");
  // Text that is selected is labelled, and no more: of one paragraph the end, of the next the beginning.
  const place = async (selector, from) => (await frame(page)).$eval(selector, (node, from) => {
    const range = document.createRange();
    range.setStart(node.firstChild, from);
    range.setEnd(node.firstChild, from + 1);
    const { x, y, height } = range.getBoundingClientRect();
    return { x, y: y + height / 2 };
  }, from);
  const select = async (from, to) => {
    const { x, y } = await (await page.$("#frame")).boundingBox();
    const border = await page.$eval("#frame", (frame) => frame.clientLeft);
    await page.mouse.move(from.x + x + border, from.y + y + border);
    await page.mouse.down();
    await page.mouse.move(to.x + x + border, to.y + y + border, { steps: 8 });
    await page.mouse.up();
  };
  await select(await place("main p:nth-of-type(1)", 4), await place("main p:nth-of-type(2)", 4));
  assert.match(await status(page), /text of 2 parts: content/);
  assert.equal(await labels(page, "main p:nth-of-type(2)"), "parts");
  const painted = () => page.evaluate(() => [...document.getElementById("frame").contentWindow.CSS.highlights.get("content") ?? []].map(String));
  assert.deepEqual(await painted(), ["tea comes from the leaves of one bush, picked by hand in the morning.", "What"]);
  await page.screenshot({ path: join(pictures, "workbench-parts.png") });
  await page.keyboard.press("z");
  assert.deepEqual(await painted(), []);
  await page.keyboard.press("y");
  // The same again takes it away; all of a text is its element.
  await select(await place("main p:nth-of-type(2)", 0), await place("main p:nth-of-type(2)", 4));
  assert.deepEqual(await painted(), ["tea comes from the leaves of one bush, picked by hand in the morning."]);
  await select(await place("main p:nth-of-type(1)", 0), await place("main p:nth-of-type(1)", 4));
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  assert.equal(await labels(page, "main p:nth-of-type(1)"), "");
  // With keys: from the heading to what is around it, and label that.
  await click(page, "h1");
  await page.keyboard.press("z");
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.$eval("#path", (path) => path.textContent), /main$/);
  await page.keyboard.press("Enter");
  assert.equal(await labels(page, "main"), "content");
  await page.keyboard.press("3");
  await click(page, "nav ul");
  assert.match(await labels(page, "nav ul"), /menu/);
  await page.keyboard.press("7");
  await page.$eval("#kind", (kind) => { kind.value = "Main content"; });
  await click(page, "main");
  assert.match(await labels(page, "main"), /segment1/);
  await page.keyboard.press("5");
  await click(page, ".ad");
  assert.match(await labels(page, ".ad"), /ads/);
  // Of the last line, one word is template.
  await page.keyboard.press("2");
  await select(await place("main p:nth-of-type(2)", 5), await place("main p:nth-of-type(2)", 12));
  assert.match(await status(page), /part of the text of p: template/);
  await page.screenshot({ path: join(pictures, "workbench-labelled.png") });
  await page.keyboard.press("s");
  await told(page, "Saved as anna's");
  assert.ok(existsSync(join(folder, "shop/tea/labels/anna/index.html")));
  const saved = readFileSync(join(folder, "shop/tea/labels/anna/index.html"), "utf8");
  assert.match(saved, /<main data-block="1" data-block-type="Main content" class="TECO_notTemplate TECO_mainContent"/);
  assert.match(saved, /<ul class="TECO_mainMenu"/);
  assert.match(saved, /<p data-label-text="template:5-12" class="TECO_notTemplate TECO_mainContent">What becomes/);

  // What she said, carried over to another page of the template, is saved once she has seen it.
  await page.click("#find-similar");
  await page.waitForSelector("#similar button");
  await page.evaluate(() => [...document.querySelectorAll("#similar button")].find((button) => button.textContent === "green.html").click());
  await told(page, "Carried over");
  assert.match(await labels(page, "main"), /content.*segment1/);
  assert.ok(!existsSync(join(folder, "shop/tea/labels/anna/green.html")));
  await page.click("#save");
  await told(page, "Saved as anna's");
  assert.ok(existsSync(join(folder, "shop/tea/labels/anna/green.html")));

  // Bo sees nothing of what Anna said, says something else, and both agree by a figure.
  const bo = await fresh("bo", "#site=shop%2Ftea&page=index.html");
  ({ page } = bo);
  assert.equal(await labels(page, "main"), "");
  await click(page, "main p:nth-of-type(1)");
  await page.keyboard.press("s");
  await told(page, "Saved as bo's");
  await page.waitForSelector("#agreement table");
  assert.match(await page.$eval("#agreement", (table) => table.textContent), /Cohen's kappa.*content0\.\d{3}0?\.?\d*/s);
  await page.click("#differ");
  assert.match(await labels(page, "h1"), /differs/);
  await page.screenshot({ path: join(pictures, "workbench-agreement.png") });
  await page.select("#judge", "anna");
  await page.click("#majority");
  await told(page, "Gold is saved");
  assert.match(await status(page), /\d+ parts had as many votes/);
  assert.ok(existsSync(join(folder, "shop/tea/gold.html")));
  assert.deepEqual([anna.wrong, anna.elsewhere, bo.wrong, bo.elsewhere], [[], [], [], []]);

  // Pages of other layouts: texts, of which somebody made gold, saved pages to be segmented, pages alone.
  for (const [site, name, file, pattern] of [
    ["texts", "one.html", "texts/gold/one.txt", /^On green tea\s+Green tea is steamed/],
    ["drawn", "tea.example/tea.example/index.dom.html", "drawn/tea.example/tea.example/index.blocks.html", /<main data-block="1" data-block-type="Main content"/],
    ["single", "page.html", "single/page.txt", /^On green tea\s+Green tea is steamed/],
  ]) {
    const { page, wrong } = await fresh("anna", `#${new URLSearchParams({ site, page: name })}`);
    await click(page, "main h1");
    await page.keyboard.press("z");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.keyboard.press("7");
    await page.keyboard.press("Enter");
    assert.match(await labels(page, "main"), /content.*segment1/);
    await page.keyboard.press("s");
    await told(page, "Saved as anna's");
    await page.click("#majority");
    await told(page, "Gold is saved");
    assert.match(readFileSync(join(folder, file), "utf8"), pattern, site);
    assert.deepEqual(wrong, site === "texts" ? ["Failed to load resource: the server responded with a status of 409 (Conflict)", "dialog: This page has gold that was not made here. Replace it?"] : [], site);
  }

  // Themes, a phone, accessibility.
  for (const [name, scheme, width, height] of [["light", "light", 1280, 1000], ["dark", "dark", 1280, 1000], ["phone-light", "light", 390, 844], ["phone-dark", "dark", 390, 844]]) {
    const { page, wrong } = await fresh("anna", "#site=shop%2Ftea&page=index.html", scheme, width, height);
    await audit(page, name);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${name} is too wide`);
    await page.screenshot({ path: join(pictures, `workbench-${name}.png`), fullPage: true });
    assert.deepEqual(wrong, [], name);
  }

  // A page of the suite that tries to run script, to leave its frame, and to load things.
  const { page: victim, wrong, elsewhere } = await fresh("anna", "#site=shop%2Ftea&page=hostile.html");
  await click(victim, "h1");
  await click(victim, "a");
  await click(victim, "button");
  await new Promise((done) => setTimeout(done, 300));
  const hacked = await victim.evaluate(() => [typeof globalThis.hacked, typeof document.getElementById("frame").contentWindow.hacked, document.title]);
  assert.deepEqual(hacked, ["undefined", "undefined", "unchaff workbench"]);
  assert.ok(victim.url().startsWith(`${address}/workbench`));
  assert.deepEqual([wrong, elsewhere], [[], []]);
  // Even if something of it were left, it would not run: the frame has no scripts.
  const ran = await victim.evaluate(() => {
    const document = globalThis.document.getElementById("frame").contentDocument;
    document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='top.hacked = 1'>");
    const script = document.createElement("script");
    script.textContent = "top.hacked = 2";
    document.body.append(script);
    return new Promise((done) => setTimeout(() => done(globalThis.hacked), 300));
  });
  assert.equal(ran, undefined);

  // The report: sorts, leads to pages, and these to each view; a hostile page in it runs nothing.
  const context = await browser.createBrowserContext();
  page = await context.newPage();
  const faults = [];
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.setViewport({ width: 1280, height: 1000 });
  await page.goto(`${address}/workbench/report`);
  const order = () => page.$$eval("table.figures tbody tr th", (cells) => cells.slice(0, 2).map((cell) => cell.textContent));
  const before = await order();
  await page.evaluate(() => [...document.querySelectorAll("table.figures th button")].find((button) => button.textContent === "F1").click());
  await page.evaluate(() => [...document.querySelectorAll("table.figures th button")].find((button) => button.textContent === "F1").click());
  assert.deepEqual(await order(), before.toReversed(), "sorted the other way round");
  await audit(page, "report");
  await page.screenshot({ path: join(pictures, "workbench-report.png") });
  await Promise.all([page.waitForNavigation(), page.click("table.figures tbody a")]);
  await audit(page, "pages");
  await page.screenshot({ path: join(pictures, "workbench-pages.png") });
  await Promise.all([page.waitForNavigation(), page.click("table.figures tbody a")]);
  for (const view of ["original", "gold alone", "result alone", "complement", "gold over result"]) {
    await Promise.all([page.waitForNavigation(), page.evaluate((view) => [...document.querySelectorAll("nav a")].find((link) => link.textContent === view).click(), view)]);
    assert.ok(await page.$("iframe[sandbox='']"), view);
    await audit(page, view);
    await page.screenshot({ path: join(pictures, `workbench-page-${view.replaceAll(" ", "-")}.png`) });
  }
  assert.deepEqual(faults, []);
  console.log("the workbench does what it says");
} finally {
  await browser.close();
}
