// The main path in Firefox: installed, pressed, toggled, read.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { root, serve } from './site_server.mjs';

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
