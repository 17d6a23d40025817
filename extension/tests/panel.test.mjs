// What stands around the views: the button, the panel, comparison, reader, options, sites.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ask, askPage, launch, noFaults, open, openPanel, texts, until } from './chromium.mjs';
import { command } from './native.mjs';
import { root, serve, serveSite } from './site_server.mjs';

let session;
before(async () => {
  session = await launch();
  await openPanel(session);
});
after(() => session?.close());

const article = () => serve((path) => {
  const name = path.slice(1) || 'index.dom.html';
  if (name.includes('/')) return null;
  try {
    const type = name.endsWith('.css') ? 'text/css' : name.endsWith('.svg') ? 'image/svg+xml' : 'text/html; charset=utf-8';
    return { body: readFileSync(join(root, 'suite', 'segments', 'article', name)), type };
  } catch {
    return null;
  }
});

async function openPopup(tabId) {
  const popup = await session.browser.newPage();
  await popup.goto(`chrome-extension://${session.id}/popup/popup.html?tab=${tabId}`);
  await popup.waitForSelector('body[data-ready]');
  return popup;
}
const settled = (popup) => until(popup, () => !document.body.hasAttribute('aria-busy'));
const seen = async (page) => (await texts(page)).filter(({ seen }) => seen).map(({ text }) => text);

test('the button itself, with no permission but that for the page in front', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const plain = await launch({ folder: 'chromium' });
  t.after(() => plain.close());
  const page = await plain.browser.newPage();
  await page.goto(server.origin);
  const extension = (await plain.browser.extensions()).get(plain.id);
  await page.triggerExtensionAction(extension);
  await until(page, () => document.querySelectorAll('[data-unchaff-view="out"]').length > 0);
  const shown = await seen(page);
  assert.ok(shown.includes('The mill that the tide turns') && !shown.includes('Harbour'), shown.join('|'));
  assert.deepEqual(await plain.worker.evaluate(async () => (await chrome.permissions.getAll()).origins), []);
});

test('the panel: kinds, techniques by family with the default first, how sure, comparison, segments', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const { page, tabId } = await open(session, `${server.origin}/`);
  const popup = await openPopup(tabId);
  assert.ok((await seen(page)).includes('The mill that the tide turns'), 'opening the panel shows the content');
  assert.match(await popup.$eval('#sure', (element) => element.textContent), /^\d+%$/);
  const listed = await popup.$$eval('#technique optgroup', (groups) => groups.map((group) => [group.label, group.children[0].value, group.children.length]));
  assert.equal(listed[0][1], 'auto');
  assert.ok(listed.length >= 4 && listed.reduce((sum, [, , many]) => sum + many, 0) > 30, JSON.stringify(listed));

  await popup.select('#kind', 'menu');
  await until(page, () => !document.querySelector('h1, h2').checkVisibility({ visibilityProperty: true }));
  await settled(popup);
  assert.ok((await seen(page)).includes('Harbour'));
  await popup.click('[data-view=complement]');
  await settled(popup);
  await until(page, () => [...document.querySelectorAll('a')].find((a) => a.textContent === 'Harbour').checkVisibility({ visibilityProperty: true }) === false);

  await popup.select('#kind', 'content');
  await settled(popup);
  await until(popup, () => document.querySelector('#technique').value === 'auto');
  await popup.select('#other', 'crunch');
  await popup.click('#compare');
  await popup.waitForSelector('#legend:not([hidden])');
  const legend = await popup.$$eval('#legend b', (cells) => cells.map((cell) => Number.parseInt(cell.textContent, 10)));
  assert.ok(legend[0] > 0 && legend[2] > 0, legend.join());
  const colours = await page.evaluate(() => Object.fromEntries(['agree', 'only-a', 'only-b'].map((name) => [name, document.querySelectorAll(`[data-unchaff-view="${name}"]`).length])));
  assert.ok(colours.agree > 0 && colours['only-b'] > 0, JSON.stringify(colours));

  await popup.select('#kind', 'segments');
  await until(popup, () => /\d/.test(document.querySelector('#facts').textContent) && document.querySelector('[data-view=block]').getAttribute('aria-pressed') === 'true');
  for (const technique of ['vips', 'bcs', 'dom-blocks', 'block-fusion']) {
    const { count, problem, text } = await ask(session, { do: 'segments', tabId, technique });
    assert.ok(!problem && count > 1, `${technique}: ${count} ${text}`);
  }
  await popup.close();
  await page.close();
  assert.deepEqual(noFaults(), []);
});

test('why: under the pointer is how sure it is and what was computed', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const { tabId, page } = await open(session, `${server.origin}/`);
  const { info } = await ask(session, { do: 'press', tabId });
  assert.ok(info.confidence > 0.5 && info.why.length > 5, JSON.stringify(info).slice(0, 300));
  assert.match(info.why[0].text, /words \d+/);
  await page.close();
});

test('the reader, and all forms to keep', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const { page, tabId } = await open(session, `${server.origin}/`);
  const made = await ask(session, { do: 'render', tabId, choice: { kind: 'content' } });
  assert.match(made.markdown, /^# The mill that the tide turns/m);
  assert.match(made.html, /<h1>|<h2>/);
  assert.match(made.annotated, /data-unchaff="content"/);
  assert.equal(made.record.schema, 'unchaff/extraction/2');
  const reader = await session.browser.newPage();
  await reader.goto(`chrome-extension://${session.id}/reader/reader.html?tab=${tabId}`);
  await reader.waitForSelector('body[data-ready]');
  assert.equal(await reader.$eval('#title', (element) => element.textContent), 'The mill that the tide turns');
  assert.ok((await reader.$$('#content p')).length >= 4);
  for (const theme of ['dark', 'sepia', 'light']) {
    await reader.select('#theme', theme);
    await until(reader, (theme) => document.documentElement.dataset.theme === theme, theme);
  }
  const size = () => reader.evaluate(() => Number.parseInt(getComputedStyle(document.body).fontSize, 10));
  const before = await size();
  await reader.click('#larger');
  await until(reader, (before) => Number.parseInt(getComputedStyle(document.body).fontSize, 10) > before, before);
  await reader.close();
  await page.close();
});

test('a web archive: the page, its content and its record, which the command reads', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const { page, tabId } = await open(session, `${server.origin}/#part`);
  const { warc, title } = await ask(session, { do: 'archive', tabId, choice: { kind: 'content' } });
  assert.match(title, /mill/);
  const bytes = Buffer.from(warc);
  // Every record is where the lengths of those before it say.
  const types = [];
  for (let at = 0; at < bytes.length; ) {
    const head = bytes.indexOf('\r\n\r\n', at) + 4;
    const fields = bytes.subarray(at, head).toString();
    assert.match(fields, /^WARC\/1\.1\r\n/);
    types.push(/WARC-Type: (\w+)/.exec(fields)[1]);
    at = head + Number(/Content-Length: (\d+)/.exec(fields)[1]);
    assert.equal(bytes.subarray(at, at + 4).toString(), '\r\n\r\n');
    at += 4;
  }
  assert.deepEqual(types, ['warcinfo', 'resource', 'conversion', 'metadata']);
  assert.ok(warc.includes(`WARC-Target-URI: ${server.origin}/\r\n`));
  const { markdown } = await ask(session, { do: 'render', tabId, choice: { kind: 'content' } });
  const folder = mkdtempSync(join(tmpdir(), 'unchaff-warc-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'page.warc'), bytes);
  const [read, ...more] = execFileSync(command, ['extract', join(folder, 'page.warc')], { stdio: ['ignore', 'pipe', 'ignore'] }).toString().trim().split('\n');
  assert.deepEqual(more, [], 'one page is in it');
  assert.deepEqual([JSON.parse(read).url, JSON.parse(read).markdown], [`${server.origin}/`, markdown]);

  // And from the panel, as a file.
  const popup = await openPopup(tabId);
  await settled(popup);
  await popup.evaluate(() => {
    HTMLAnchorElement.prototype.click = function () {
      globalThis.given = fetch(this.href).then(async (answer) => [this.download, await answer.text()]);
    };
  });
  await popup.select('#format', 'warc');
  await popup.click('#save');
  await until(popup, () => globalThis.given);
  const [name, text] = await popup.evaluate(() => globalThis.given);
  assert.match(name, /mill.*\.warc$/);
  assert.match(text, /^WARC\/1\.1\r\nWARC-Type: warcinfo\r\n/);
  await popup.close();
  await page.close();
});

test('shortcuts and the menu of the page do what the button does', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const commands = await session.panel.evaluate(() => chrome.commands.getAll());
  assert.deepEqual(Object.fromEntries(commands.map(({ name, shortcut }) => [name, shortcut])), { _execute_action: 'Alt+Shift+Y', reader: 'Alt+Shift+L', 'toggle-view': 'Alt+Shift+U' });
  assert.ok(commands.every(({ name, description }) => description || name === '_execute_action'));
  const { page, tabId } = await open(session, `${server.origin}/`);
  // The keys and the menu are the browser's own; what they say to the extension is said here.
  const said = (event, ...values) =>
    session.worker.evaluate(async (event, tabId, values) => void chrome[event[0]][event[1]].dispatch(...values, await chrome.tabs.get(tabId)), event, tabId, values);
  const viewIs = async (view, key) => {
    let state;
    for (let turn = 0; turn < 200; turn++) {
      state = await askPage(session, tabId, { do: 'state' }).catch(() => ({}));
      if (state.view === view && (!key || JSON.parse(state.key)[0] === key)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(`${view} ${key ?? ''} was wanted, and it is ${JSON.stringify(state)}`);
  };
  for (const view of ['block', 'complement', 'original', 'block']) {
    await said(['commands', 'onCommand'], 'toggle-view');
    await viewIs(view);
  }
  for (const kind of ['menu', 'template', 'content']) {
    await said(['contextMenus', 'onClicked'], { menuItemId: `kind-${kind}` });
    await viewIs('block', kind);
  }
  // Every entry that the code knows is in the menu; one that is not cannot be changed.
  const entries = ['kind-content', 'kind-template', 'kind-menu', 'kind-comments', 'kind-ads', 'reader'];
  const has = (id) => session.worker.evaluate((id) => chrome.contextMenus.update(id, {}).then(() => true, () => false), id);
  for (const id of entries) assert.ok(await has(id), id);
  assert.equal(await has('other'), false);
  for (const event of [['commands', 'onCommand', 'reader'], ['contextMenus', 'onClicked', { menuItemId: 'reader' }]]) {
    const opened = session.browser.waitForTarget((target) => target.url().includes('/reader/reader.html'));
    await said(event.slice(0, 2), event[2]);
    const reader = await (await opened).page();
    await reader.waitForSelector('body[data-ready]');
    assert.equal(await reader.$eval('#title', (element) => element.textContent), 'The mill that the tide turns');
    await reader.close();
  }
  await page.close();
  assert.deepEqual(noFaults(), []);
});

test('always on for a site, by the panel, until that is taken back; and on no other', async (t) => {
  const server = await article();
  const other = await article();
  t.after(() => (server.close(), other.close()));
  const { page, tabId } = await open(session, `${server.origin}/`);
  const popup = await openPopup(tabId);
  await settled(popup);
  await popup.bringToFront();
  await popup.click('#always');
  const host = new URL(server.origin).host;
  await until(popup, async (host) => (await chrome.storage.local.get('settings')).settings?.sites?.[host]?.always === true, host);
  const hidden = (page) => until(page, () => document.querySelectorAll('[data-unchaff-view="out"]').length > 0);
  const isHidden = (page) => page.evaluate(() => document.querySelectorAll('[data-unchaff-view]').length > 0);
  await page.bringToFront();
  await page.reload({ waitUntil: 'load' });
  await hidden(page);
  await page.goto('about:blank');
  await page.goto(`${server.origin}/index.dom.html`, { waitUntil: 'load' });
  await hidden(page);
  assert.ok(!(await seen(page)).includes('Harbour'));
  const next = await open(session, `${other.origin}/`);
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await isHidden(next.page), false);
  await next.page.close();
  // The options list it, and the panel takes it back.
  const options = await session.browser.newPage();
  await options.goto(`chrome-extension://${session.id}/options/options.html`);
  await options.waitForSelector('body[data-ready]');
  assert.ok(await options.evaluate((host) => document.body.textContent.includes(host), host));
  await options.close();
  await popup.bringToFront();
  await popup.click('#always');
  await until(popup, async (host) => !(await chrome.storage.local.get('settings')).settings.sites[host], host);
  await page.bringToFront();
  await page.reload({ waitUntil: 'load' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  assert.equal(await isHidden(page), false);
  await popup.close();
  await page.close();
  assert.deepEqual(noFaults(), []);
});

test('the options: parameters are kept and used, nonsense is refused, settings go to a file and back', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const options = await session.browser.newPage();
  await options.goto(`chrome-extension://${session.id}/options/options.html`);
  await options.waitForSelector('body[data-ready]');
  const techniques = await options.$$eval('#which option', (all) => all.map((option) => option.value));
  assert.ok(techniques.length >= 60, String(techniques.length));
  await options.select('#which', 'auto');
  await options.select('#parameter-favor', 'recall');
  await until(options, () => document.querySelector('#done').textContent !== '');
  const kept = () => options.evaluate(async () => (await chrome.storage.local.get('settings')).settings.parameters);
  assert.deepEqual(await kept(), { auto: { favor: 'recall' } });
  const { page, tabId } = await open(session, `${server.origin}/`);
  const { info } = await ask(session, { do: 'press', tabId });
  assert.deepEqual(info.parameters, { favor: 'recall' });
  await page.close();
  assert.equal((await ask(session, { do: 'check', technique: 'temex', name: 'n', value: 'three' })).problem, 'refused');
  assert.equal((await ask(session, { do: 'check', technique: 'temex', name: 'n', value: '4' })).problem, undefined);
  await options.bringToFront();
  await options.click('#reset');
  await until(options, async () => Object.keys((await chrome.storage.local.get('settings')).settings.parameters).length === 0);
  const file = await options.$('#file');
  await options.evaluate(async () => {
    const given = { unchaff: 1, settings: { kind: 'menu', parameters: { bte: { x: 1 } }, sites: { 'example.org': { always: true, kind: 'ads' }, '<b>': {} }, pages: 1e9, evil: 1 } };
    const transfer = new DataTransfer();
    transfer.items.add(new File([JSON.stringify(given)], 'settings.json'));
    document.querySelector('#file').files = transfer.files;
    document.querySelector('#file').dispatchEvent(new Event('change'));
  });
  assert.ok(file);
  await until(options, async () => (await chrome.storage.local.get('settings')).settings.kind === 'menu');
  const all = await options.evaluate(async () => (await chrome.storage.local.get('settings')).settings);
  assert.deepEqual({ parameters: all.parameters, sites: all.sites, pages: all.pages, evil: all.evil }, { parameters: {}, sites: { 'example.org': { always: true, kind: 'ads' } }, pages: 40, evil: undefined });
  await options.click('#reset');
  await until(options, async () => (await chrome.storage.local.get('settings')).settings.kind === 'content');
  await options.close();
});

describe('techniques that compare pages', () => {
  test('load the pages they ask for, one at a time, no more than allowed, as a stranger; the next page of the site needs none', async (t) => {
    const site = await serveSite('harbour-news');
    t.after(() => site.close());
    const { page, tabId } = await open(session, site.key);
    await page.evaluate(() => void (document.cookie = 'who=me'));
    await session.panel.evaluate(async () => chrome.storage.local.set({ settings: { pages: 5 } }));
    site.asked.length = 0;
    const answer = await ask(session, { do: 'run', tabId, choice: { kind: 'template', technique: 'temex' } });
    assert.equal(answer.view, 'block', answer.text);
    const { compared, loaded } = answer.info.site;
    assert.ok(loaded > 0 && loaded <= 5 && compared <= loaded, JSON.stringify(answer.info.site));
    assert.equal(site.asked.length, loaded);
    assert.ok(site.asked.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined));
    assert.equal(new Set(site.asked.map(({ path }) => path)).size, loaded, 'no page twice');
    assert.ok((await seen(page)).includes('Council') || (await seen(page)).includes('Subscribe'));

    site.asked.length = 0;
    const first = await ask(session, { do: 'run', tabId, choice: { kind: 'content', technique: 'auto-with-site' } });
    assert.equal(first.view, 'block', first.text);
    assert.ok(site.asked.length > 0 && site.asked.length <= 5);
    const [known] = await ask(session, { do: 'learned' });
    assert.equal(known.host, new URL(site.origin).host);
    site.asked.length = 0;
    await page.goto(`${site.origin}/news/council-benches.html`);
    site.asked.length = 0;
    const second = await ask(session, { do: 'run', tabId, choice: { kind: 'content', technique: 'auto-with-site' } });
    assert.equal(second.view, 'block', second.text);
    assert.equal(second.info.site.remembered, known.pages);
    assert.deepEqual(site.asked, []);
    await ask(session, { do: 'forget' });
    assert.deepEqual(await ask(session, { do: 'learned' }), []);
    await page.close();
  });

  test('without the user’s permission nothing is loaded; other hosts, other types and errors are passed over', async (t) => {
    const html = `<!doctype html><title>t</title><nav><a href=/file.bin>1</a> <a href=/gone.html>2</a> <a href="http://localhost:9/x.html">3</a> <a href=/away.html>4</a></nav><main><p>${'Words about the quay and the crane. '.repeat(20)}</main>`;
    const asked = [];
    const server = await serve((path) => {
      asked.push(path);
      if (path === '/') return { body: html };
      if (path === '/file.bin') return { body: 'x', type: 'application/octet-stream' };
      if (path === '/away.html') return { status: 302, headers: { Location: 'http://localhost:9/' } };
      return null;
    });
    t.after(() => server.close());
    const { page, tabId } = await open(session, `${server.origin}/`);
    const answer = await ask(session, { do: 'run', tabId, choice: { kind: 'template', technique: 'temex' } });
    assert.equal(answer.problem, undefined, answer.text);
    assert.equal(answer.info.site.compared, 0);
    assert.deepEqual(asked.filter((path) => path !== '/' && path !== '/favicon.ico').sort(), ['/away.html', '/file.bin', '/gone.html']);
    await page.close();

    const plain = await launch({ folder: 'chromium' });
    t.after(() => plain.close());
    const other = await plain.browser.newPage();
    await other.goto(server.origin);
    await other.triggerExtensionAction((await plain.browser.extensions()).get(plain.id));
    await until(other, () => document.querySelectorAll('[data-unchaff-view]').length > 0);
    asked.length = 0;
    await openPanel(plain);
    const tab = await plain.panel.evaluate(async () => (await chrome.tabs.query({})).find((candidate) => candidate.url?.startsWith('http'))?.id);
    const refused = await ask(plain, { do: 'run', tabId: tab, choice: { kind: 'template', technique: 'temex' } });
    assert.equal(refused.problem, 'needsPermission');
    assert.deepEqual(asked, []);
  });

  test('can be stopped', async (t) => {
    const html = `<!doctype html><title>t</title><nav>${Array.from({ length: 20 }, (_, i) => `<a href=/${i}.html>${i}</a>`).join(' ')}</nav><main><p>${'Words about the quay and the crane. '.repeat(20)}</main>`;
    const server = await serve((path) => ({ body: html, after: path === '/' ? 0 : 400 }));
    t.after(() => server.close());
    const { page, tabId } = await open(session, `${server.origin}/`);
    const running = ask(session, { do: 'run', tabId, choice: { kind: 'template', technique: 'm14-best-f1' } });
    while (server.asked.filter(({ path }) => path.endsWith('.html')).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await ask(session, { do: 'abort', tabId });
    assert.equal((await running).problem, 'aborted');
    assert.equal((await askPage(session, tabId, { do: 'state' })).view, 'original');
    await page.close();
  });
});

test('gold by hand: what was clicked carries the labels of the workbench in the saved page, and the page itself is untouched', async (t) => {
  const server = await article();
  t.after(() => server.close());
  const { page, tabId } = await open(session, `${server.origin}/`);
  const untouched = await page.evaluate(() => document.body.outerHTML);
  await ask(session, { do: 'gold', tabId, label: 'menu' });
  await page.bringToFront();
  const pointTo = async (text, ups) => {
    const { x, y } = await page.evaluate((text) => {
      const found = [...document.querySelectorAll('h1, h2, a, p')].find((element) => element.textContent.trim().startsWith(text));
      const { left, top, height } = found.getBoundingClientRect();
      return { x: left + 5, y: top + height / 2 };
    }, text);
    await page.mouse.move(x, y);
    for (let up = 0; up < ups; up++) await page.keyboard.press('ArrowUp');
  };
  await pointTo('Harbour', 1);
  await page.keyboard.press('Enter');
  await ask(session, { do: 'gold', tabId, label: 'content' });
  await page.bringToFront();
  await pointTo('The tide mill', 0);
  await page.mouse.down();
  await page.mouse.up();
  await ask(session, { do: 'gold', tabId, label: 'ads' });
  await page.bringToFront();
  await pointTo('Harbour', 0);
  await page.keyboard.press('Enter');
  const { html, marked } = await ask(session, { do: 'labelledPage', tabId });
  assert.equal(marked, 3);
  assert.equal(html.match(/TECO_mainMenu/g).length, 1);
  assert.match(html, /<\w+ [^>]*class="TECO_ads[ "][^>]*>(?:<[^>]*>)*Harbour/);
  assert.match(html, /<p class="TECO_mainContent TECO_notTemplate">The tide mill/);
  assert.equal(await page.evaluate(() => document.body.outerHTML), untouched);
  await ask(session, { do: 'gold', tabId });
  await page.close();
});

test('pages that cannot be looked at: a clear message', async (t) => {
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>');
  const server = await serve((path) => (path === '/a.pdf' ? { body: pdf, type: 'application/pdf' } : path === '/a.xml' ? { body: '<a>x</a>', type: 'application/xml' } : null));
  t.after(() => server.close());
  const internal = await session.browser.newPage();
  await internal.goto('chrome://version');
  await internal.bringToFront();
  const tabId = await session.panel.evaluate(async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0].id);
  assert.equal((await ask(session, { do: 'press', tabId })).problem, 'notHere');
  const popup = await openPopup(tabId);
  assert.match(await popup.$eval('#problem', (element) => element.textContent), /does not let extensions/);
  await popup.close();
  await internal.close();
  const document = await open(session, `${server.origin}/a.pdf`);
  assert.equal((await ask(session, { do: 'press', tabId: document.tabId })).problem, 'notPdf');
  await document.page.close();
  const xml = await open(session, `${server.origin}/a.xml`);
  assert.equal((await ask(session, { do: 'press', tabId: xml.tabId })).problem, 'notAPage');
  await xml.page.close();
});

test('memory of the worker does not grow with the number of pages', async (t) => {
  const many = Number(process.env.UNCHAFF_MANY ?? 60);
  const body = (i) => `<!doctype html><title>${i}</title><nav><a href=/>Home</a></nav><main>${`<p>Page ${i} tells about the boats and the nets and the long rain of that autumn.</p>`.repeat(300)}</main>`;
  const server = await serve((path) => ({ body: body(path) }));
  t.after(() => server.close());
  const { page, tabId } = await open(session, `${server.origin}/0`);
  const heap = async () => {
    await session.worker.client.send('HeapProfiler.collectGarbage');
    return (await session.worker.client.send('Runtime.getHeapUsage')).usedSize;
  };
  const sizes = [];
  for (let i = 0; i < many; i++) {
    await page.goto(`${server.origin}/${i}`);
    assert.equal((await ask(session, { do: 'run', tabId, choice: { kind: 'content' } })).view, 'block');
    if (i === 9 || i === many - 1) sizes.push(await heap());
  }
  console.log(`heap of the worker after 10 and ${many} pages: ${sizes.map((size) => `${(size / 1e6).toFixed(1)} MB`).join(', ')}`);
  assert.ok(sizes[1] < sizes[0] * 1.5 + 4e6, sizes.join());
  await page.close();
});

test('every message is there in every language, and every one that is used exists', () => {
  const folder = join(root, 'extension', 'src');
  const read = (language) => JSON.parse(readFileSync(join(folder, '_locales', language, 'messages.json'), 'utf8'));
  const english = read('en');
  const holes = (text) => (text.match(/\$\d/g) ?? []).sort().join();
  for (const language of ['es', 'de', 'fr']) {
    const other = read(language);
    assert.deepEqual(Object.keys(other), Object.keys(english), language);
    for (const [name, { message }] of Object.entries(other)) assert.equal(holes(message), holes(english[name].message), `${language}: ${name}`);
  }
  const sources = readdirSync(folder, { recursive: true }).map(String).filter((name) => /\.(js|html)$/.test(name)).map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const used = [...sources.matchAll(/(?:words|getMessage|Problem|say)\(\s*'([A-Za-z_]+)'|data-words(?:-title|-label)?="([A-Za-z_]+)"/g)].map(([, a, b]) => a ?? b);
  assert.ok(used.length > 60);
  assert.deepEqual(used.filter((name) => !english[name] && name !== 'lasting'), []);
  // Kinds of segments, as the engine names them.
  const kinds = ['header', 'menu', 'content', 'sidebar', 'article', 'links', 'logo', 'title', 'search', 'image', 'video', 'comments', 'advertisement', 'footer', 'template'];
  assert.deepEqual(kinds.filter((kind) => !english[`kind_${kind}`]), []);
});
