// The main path in Firefox: installed, pressed, toggled, read; and the extension's own pages: panel, reader, options.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { root, serve } from './site_server.mjs';

/** Firefox gives each installation a number of its own; here it is told which. */
const NUMBER = '6f1c1d3a-2b9e-4a55-9d0f-0b8a7c5d4e3f';

let browser;
let server;

before(async () => {
  server = await serve((path) => {
    const name = path.slice(1) || 'index.dom.html';
    if (name.includes('/')) return null;
    try {
      const type = name.endsWith('.css') ? 'text/css' : name.endsWith('.svg') ? 'image/svg+xml' : 'text/html; charset=utf-8';
      return { body: readFileSync(join(root, 'suite', 'segments', 'article', name)), type };
    } catch {
      return null;
    }
  });
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.UNCHAFF_FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
    // Without this, a test may not go to pages of an extension.
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: { 'extensions.webextensions.uuids': JSON.stringify({ 'extension@unchaff.invalid': NUMBER }) },
  });
  await browser.installExtension(join(root, 'extension', 'build', 'firefox-test'));
});
after(async () => {
  await browser?.close();
  server?.close();
});

test('Firefox: content in its place, everything else, the page again; menu, comparison, segments, forms to keep', async () => {
  const page = await browser.newPage();
  await page.goto(`${server.origin}/`);
  const ask = (message) =>
    page.evaluate(
      (message) =>
        new Promise((resolve) => {
          addEventListener('message', ({ data }) => data.answer && resolve(data.answer), { once: false });
          postMessage({ ask: message }, '*');
        }),
      message,
    );
  const isSeen = (text) =>
    page.evaluate((text) => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (walker.currentNode.data.trim() === text) return walker.currentNode.parentElement.checkVisibility({ visibilityProperty: true });
      return null;
    }, text);
  const views = [];
  for (let press = 0; press < 3; press++) {
    const answer = await ask({ do: 'press' });
    assert.equal(answer.problem, undefined, answer.text);
    views.push([answer.view, await isSeen('The mill that the tide turns'), await isSeen('Harbour')]);
  }
  assert.deepEqual(views, [['block', true, false], ['complement', false, true], ['original', true, true]]);
  const menu = await ask({ do: 'run', choice: { kind: 'menu' } });
  assert.deepEqual([menu.view, await isSeen('The mill that the tide turns'), await isSeen('Harbour')], ['block', false, true], menu.text);
  const compared = await ask({ do: 'compare', a: { kind: 'content', technique: 'auto' }, b: { kind: 'content', technique: 'crunch' } });
  assert.ok(compared.characters?.agree > 0, compared.text);
  const { count, text } = await ask({ do: 'segments', technique: 'visual-blocks' });
  assert.ok(count > 1, text);
  const made = await ask({ do: 'render', choice: { kind: 'content' } });
  assert.match(made.markdown ?? made.text, /^# The mill that the tide turns/m);
  const learned = await ask({ do: 'run', choice: { kind: 'template', technique: 'template-auto' } });
  assert.equal(learned.problem, undefined, learned.text);
});

/** Waits until something holds on a page. */
async function until(page, holds, ...values) {
  for (let turn = 0; turn < 300; turn++) {
    if (await page.evaluate(holds, ...values).catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`${holds} does not hold: ${await page.evaluate(() => document.body.textContent).catch(String)}`);
}

/** A page of the extension. That it has been loaded is not told by Firefox, so it is asked. */
async function own(path) {
  const page = await browser.newPage();
  page.goto(`moz-extension://${NUMBER}/${path}`, { timeout: 1000 }).catch(() => {});
  await until(page, () => document.body?.dataset.ready === '');
  return page;
}

test('Firefox: the panel, the reader and the options are there and do what they say', async () => {
  const article = await browser.newPage();
  await article.goto(`${server.origin}/`);
  const options = await own('options/options.html');
  assert.ok((await options.evaluate(() => document.querySelectorAll('#which option').length)) >= 60);
  const tabId = await options.evaluate(async (origin) => (await chrome.tabs.query({})).filter(({ url }) => url?.startsWith(origin)).at(-1).id, server.origin);
  const isSeen = (selector) => article.evaluate((selector) => document.querySelector(selector).checkVisibility({ visibilityProperty: true }), selector);

  const panel = await own(`popup/popup.html?tab=${tabId}`);
  assert.match(await panel.evaluate(() => document.querySelector('#sure').textContent), /^\d+%$/);
  assert.deepEqual(await panel.evaluate(() => [document.querySelector('#problem').hidden, document.querySelector('#technique').value]), [true, 'auto']);
  assert.equal(await isSeen('h1'), true);
  const choose = (id, value) =>
    panel.evaluate(
      (id, value) => {
        document.getElementById(id).value = value;
        document.getElementById(id).dispatchEvent(new Event('change'));
      },
      id,
      value,
    );
  await choose('kind', 'menu');
  await until(article, () => !document.querySelector('h1').checkVisibility({ visibilityProperty: true }));
  await until(panel, () => !document.body.hasAttribute('aria-busy'));
  await choose('kind', 'content');
  await until(article, () => document.querySelector('h1').checkVisibility({ visibilityProperty: true }));
  await until(panel, () => !document.body.hasAttribute('aria-busy') && document.querySelector('#technique').value === 'auto');
  await panel.evaluate(() => {
    document.querySelector('#other').value = 'crunch';
    document.querySelector('#compare').click();
  });
  await until(panel, () => !document.querySelector('#legend').hidden && /\d+%/.test(document.querySelector('#agree').textContent));
  await panel.evaluate(() => document.querySelector('[data-view=original]').click());
  await until(article, () => document.querySelectorAll('[data-unchaff-view]').length === 0);

  const reader = await own(`reader/reader.html?tab=${tabId}`);
  assert.equal(await reader.evaluate(() => document.querySelector('#title').textContent), 'The mill that the tide turns');
  assert.ok((await reader.evaluate(() => document.querySelectorAll('#content p').length)) >= 4);
});
