// The views of a page in Chromium: what is hidden is what the native command does not label, and everything can be undone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ask, askPage, launch, noFaults, open, openPanel, texts, until } from './chromium.mjs';
import { annotated, labelledTexts } from './native.mjs';
import { serve, serveSite } from './site_server.mjs';

let session;
before(async () => {
  session = await launch();
  await openPanel(session);
});
after(() => session?.close());

/** The view of a page, as a list of texts to compare: what the command labels, and what is seen. */
async function compared(page, tabId, choice, view = 'block') {
  const { html } = await askPage(session, tabId, { do: 'capture', again: true });
  const marked = annotated(html, { url: page.url(), ...choice });
  const labelled = await labelledTexts(session.panel, marked, choice.kind);
  await ask(session, { do: 'show', tabId, view: 'original' });
  const original = await texts(page);
  const answer = await ask(session, { do: 'show', tabId, view, choice });
  assert.equal(answer.problem, undefined, answer.text);
  const shown = await texts(page);
  assert.deepEqual(shown.map(({ text }) => text), labelled.map(({ text }) => text), 'the command saw the same texts');
  const isOf = view === 'block' ? (label) => label : (label) => !label;
  return {
    wanted: labelled.filter(({ labelled }, i) => isOf(labelled) && original[i].seen).map(({ text }) => text),
    seen: shown.filter(({ seen }) => seen).map(({ text }) => text),
    all: original.filter(({ seen }) => seen).length,
  };
}

describe('what is hidden is what the native command does not label', () => {
  const SITES = ['asal-jabal', 'bibliotheque', 'cha-zhuye', 'cocina-blog', 'foto-galeri', 'grib-forum', 'harbour-news', 'lampen-shop', 'sentieri', 'tidewire-docs'];
  for (const id of SITES) {
    test(id, async (t) => {
      const site = await serveSite(id);
      t.after(() => site.close());
      const paths = [site.about.key_page, ...Object.keys(site.about.gold_pages ?? {})];
      for (const path of [...new Set(paths)].slice(0, 3)) {
        const { page, tabId } = await open(session, `${site.origin}/${path.split('/').map(encodeURIComponent).join('/')}`);
        assert.equal((await ask(session, { do: 'press', tabId })).view, 'block');
        for (const kind of ['content', 'template', 'menu']) {
          const { wanted, seen } = await compared(page, tabId, { kind });
          assert.deepEqual(seen, wanted, `${kind} of ${path}`);
        }
        const { wanted, seen } = await compared(page, tabId, { kind: 'content', technique: 'cetr' }, 'complement');
        assert.deepEqual(seen, wanted, `all but the content of ${path}`);
        await page.close();
      }
      assert.deepEqual(noFaults(), []);
    });
  }

  test('bare text beside what is not content, wrapped texts, misnested and scripted markup', async (t) => {
    const sentence = 'The miller counted nineteen sacks before the tide turned, and wrote the number on the door as he had done every evening since the autumn.';
    const html = `<!doctype html><meta charset=utf-8><title>Sacks</title><body>Home <a href=/a>one</a> <a href=/b>two</a> <a href=/c>three</a>
      <div id=main>${sentence} <i>${sentence}</i><br>${sentence}<br><br>${sentence}<div><a href=/d>share</a> <a href=/e>print</a></div>${sentence}</div>
      <p>${sentence}<b>${sentence}<p>${sentence}</b>${sentence}
      <noscript><p>No scripts here: ${sentence}</noscript><template><p>${sentence}</template>
      <table id=t></table>
      <script>
        // Trees that no markup gives: rows without a body, a paragraph in a paragraph, texts beside each other.
        const row = document.createElement('tr'); row.innerHTML = '<td>built by script: ${sentence}</td>'; t.append(row);
        const p = document.createElement('p'); p.append('outer ', document.createElement('p'), ${JSON.stringify(sentence)}, ' and more'); p.firstElementChild.append(${JSON.stringify(sentence)}); main.append(p);
      </script><footer>© the mill <a href=/imprint>imprint</a></footer>`;
    const server = await serve(() => ({ body: html }));
    t.after(() => server.close());
    const { page, tabId } = await open(session, `${server.origin}/`);
    const whole = await page.evaluate(() => document.body.innerText);
    await ask(session, { do: 'press', tabId });
    for (const technique of ['auto', 'cetr', 'lsi', 'dsc', 'boilerpipe-default', 'crunch']) {
      await ask(session, { do: 'run', tabId, choice: { kind: 'content', technique } });
      const seen = (await texts(page)).filter(({ seen }) => seen).map(({ text }) => text);
      const { html } = await askPage(session, tabId, { do: 'capture', again: true });
      const labelled = await labelledTexts(session.panel, annotated(html, { url: page.url(), kind: 'content', technique }), 'content');
      // The parser joins and moves texts here, so what is compared is the words.
      const words = (list) => list.join(' ').split(/\s+/).sort();
      assert.deepEqual(words(seen), words(labelled.filter(({ labelled }) => labelled).map(({ text }) => text)), technique);
    }
    await ask(session, { do: 'show', tabId, view: 'original' });
    assert.equal(await page.evaluate(() => document.body.innerText), whole);
    await page.close();
  });
});

test('original, block, everything else, and the page is as it was; later presses are answered from memory', async (t) => {
  const site = await serveSite('harbour-news');
  t.after(() => site.close());
  const { page, tabId } = await open(session, site.key);
  const untouched = await page.evaluate(() => document.documentElement.outerHTML);
  const all = (await texts(page)).filter(({ seen }) => seen).length;
  const views = [];
  const numbers = [];
  for (let press = 0; press < 6; press++) {
    const { view, capture } = await ask(session, { do: 'press', tabId });
    views.push(view);
    numbers.push([capture, (await texts(page)).filter(({ seen }) => seen).length]);
    if (view === 'original') assert.equal(await page.evaluate(() => document.querySelectorAll('[data-unchaff-view]').length), 0);
  }
  assert.deepEqual(views, ['block', 'complement', 'original', 'block', 'complement', 'original']);
  assert.deepEqual(numbers.slice(0, 3), numbers.slice(3));
  assert.equal(numbers[0][0], numbers[5][0], 'the page was written down once');
  assert.equal(numbers[0][1] + numbers[1][1], all, 'every text is seen in one view and not in the other');
  assert.equal(await page.evaluate(() => {
    document.querySelectorAll('[data-unchaff-own]').forEach((element) => element.remove());
    return document.documentElement.outerHTML;
  }), untouched);
  await page.close();
});

test('a page whose policy forbids everything, and content in shadow trees', async (t) => {
  const paragraph = '<p>The lighthouse keeper wrote down the weather every three hours, and nobody ever asked him for it until the museum came by one spring.</p>'.repeat(4);
  const html = `<!doctype html><title>Weather</title><body><nav><a href=/1>One</a> <a href=/2>Two</a></nav><weather-book></weather-book><div id=side>Follow us <a href=/3>here</a></div>
    <script nonce=a>customElements.define('weather-book', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML = '<h1>Weather</h1>${paragraph}<ul><li><a href=/4>Share</a></ul>'; } })</script>`;
  const headers = { 'Content-Security-Policy': "default-src 'none'; script-src 'nonce-a'" };
  const server = await serve(() => ({ body: html, headers }));
  t.after(() => server.close());
  const { page, tabId } = await open(session, `${server.origin}/`);
  const answer = await ask(session, { do: 'press', tabId });
  assert.equal(answer.view, 'block', answer.text);
  const seen = await page.evaluate(() => {
    const inside = document.querySelector('weather-book').shadowRoot;
    const visible = (element) => element.checkVisibility({ visibilityProperty: true });
    return { nav: visible(document.querySelector('nav')), side: visible(document.querySelector('#side a')), paragraph: visible(inside.querySelector('p')), share: visible(inside.querySelector('a')) };
  });
  assert.deepEqual(seen, { nav: false, side: false, paragraph: true, share: false });
  await ask(session, { do: 'press', tabId });
  await ask(session, { do: 'press', tabId });
  assert.equal(await page.evaluate(() => document.querySelector('weather-book').shadowRoot.querySelectorAll('[data-unchaff-view], style').length), 0);
  await page.close();
});

describe('a page that changes itself', () => {
  const article = (word) => `<article><h1>${word}</h1>${`<p>${word}: the harbour board met on Tuesday and found, after two hours and a power cut, that the crane is older than the harbour it stands in.</p>`.repeat(5)}</article>`;
  const page0 = (script) => `<!doctype html><title>Board</title><body><nav><a href=/1>One</a> <a href=/2>Two</a></nav><main>${article('first')}</main><footer>© the board</footer><script>${script}</script>`;

  test('labels of what is no longer the page are refused, and the page is judged again', async (t) => {
    const server = await serve(() => ({ body: page0('') }));
    t.after(() => server.close());
    const { page, tabId } = await open(session, `${server.origin}/`);
    await ask(session, { do: 'state', tabId });
    const { capture } = await askPage(session, tabId, { do: 'capture' });
    await page.evaluate((html) => void (document.querySelector('main').innerHTML = html), article('second'));
    const label = { do: 'label', capture, key: 'k', parts: [{ range: [0, 10] }], info: {} };
    assert.equal((await askPage(session, tabId, label)).changed, true);
    assert.equal((await ask(session, { do: 'press', tabId })).view, 'block');
    const seen = (await texts(page)).filter(({ seen }) => seen).map(({ text }) => text);
    assert.ok(seen.includes('second') && !seen.some((text) => text.startsWith('first')), seen.join('|'));
    // While the block is shown the page is replaced once more; the view follows.
    await page.evaluate((html) => void (document.querySelector('main').innerHTML = html), `<aside>Buy <a href=/x>boats</a></aside>${article('third')}`);
    await until(page, () => {
      const visible = (selector) => document.querySelector(selector).checkVisibility({ visibilityProperty: true });
      return visible('main h1') && !visible('aside a');
    });
    await page.close();
  });

  test('what is new beside the block is hidden at once', async (t) => {
    const server = await serve(() => ({ body: page0('') }));
    t.after(() => server.close());
    const { page, tabId } = await open(session, `${server.origin}/`);
    await ask(session, { do: 'press', tabId });
    await page.evaluate(() => {
      const late = document.createElement('div');
      late.id = 'late';
      late.textContent = 'Subscribe!';
      document.body.append(late);
    });
    await until(page, () => !document.querySelector('#late').checkVisibility({ visibilityProperty: true }));
    await page.close();
  });

  test('one that never stops is shown as it was, and the user is told', async (t) => {
    const script = `let n = 0; setInterval(() => { document.querySelector('main').innerHTML = ${JSON.stringify(article('tick'))} + n++; }, 1)`;
    const server = await serve(() => ({ body: page0(script) }));
    t.after(() => server.close());
    const { page, tabId } = await open(session, `${server.origin}/`);
    const answer = await ask(session, { do: 'press', tabId });
    assert.equal(answer.view, 'block', answer.text);
    assert.equal(await page.evaluate(() => document.querySelector('nav a').checkVisibility({ visibilityProperty: true })), false);
    await page.close();
  });
});

test('50,000 nodes: the page keeps running, and the answer is the command’s', async (t) => {
  const item = (i) => `<div class=row><p>Entry ${i}: the boats came in late, and the nets were mended on the quay while it rained.</p><a href=/${i}>link</a></div>`;
  const html = `<!doctype html><title>Log</title><body><nav><a href=/>Home</a></nav><main>${Array.from({ length: 8400 }, (_, i) => item(i)).join('\n')}</main>`;
  const server = await serve(() => ({ body: html }));
  t.after(() => server.close());
  const { page, tabId } = await open(session, `${server.origin}/`);
  await page.evaluate(() => {
    globalThis.longest = 0;
    globalThis.beats = 0;
    let last = performance.now();
    const beat = () => {
      globalThis.longest = Math.max(globalThis.longest, performance.now() - last);
      last = performance.now();
      globalThis.beats++;
      setTimeout(beat, 20);
    };
    beat();
  });
  const answer = await ask(session, { do: 'press', tabId });
  assert.equal(answer.view, 'block', answer.text);
  const { longest, beats } = await page.evaluate(() => ({ longest: Math.round(globalThis.longest), beats: globalThis.beats }));
  console.log(`50,000 nodes: the page waited ${longest} ms at most, and had ${beats} turns of its own meanwhile`);
  assert.ok(beats > 1);
  const { wanted, seen } = await compared(page, tabId, { kind: 'content' });
  assert.deepEqual(seen, wanted);
  await page.close();
});
