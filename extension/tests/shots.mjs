// Pictures of what a user sees, to be looked at: node tests/shots.mjs FOLDER [light|dark]
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, launch, noFaults, open, openPanel } from './chromium.mjs';
import { root, serve } from './site_server.mjs';

const folder = process.argv[2] ?? 'build/shots';
const theme = process.argv[3] ?? 'light';
mkdirSync(folder, { recursive: true });
const server = await serve((path) => {
  const name = path.slice(1) || 'index.dom.html';
  const file = join(root, 'suite', 'segments', 'article', name);
  try {
    return { body: readFileSync(file), type: name.endsWith('.css') ? 'text/css' : name.endsWith('.svg') ? 'image/svg+xml' : 'text/html; charset=utf-8' };
  } catch {
    return null;
  }
});
const session = await launch();
const scheme = [{ name: 'prefers-color-scheme', value: theme }];
await openPanel(session);
const { page, tabId } = await open(session, `${server.origin}/`);
await page.emulateMediaFeatures(scheme);
const shot = (of, name, options = {}) => of.screenshot({ path: join(folder, `${name}-${theme}.png`), ...options });

await shot(page, 'page-original');
for (const view of ['block', 'complement']) {
  console.log(view, JSON.stringify(await ask(session, { do: 'press', tabId })).slice(0, 300));
  await page.bringToFront();
  await shot(page, `page-${view}`);
}
await page.bringToFront();
const popup = await session.browser.newPage();
await popup.emulateMediaFeatures(scheme);
await popup.setViewport({ width: 390, height: 560 });
const openPopup = async () => {
  await popup.goto(`chrome-extension://${session.id}/popup/popup.html?tab=${tabId}`);
  await popup.waitForSelector('body[data-ready]', { timeout: 20_000 });
};
await openPopup();
await openPopup();
await shot(popup, 'popup');
await popup.select('#kind', 'menu');
await popup.waitForFunction(() => !document.body.ariaBusy);
await shot(popup, 'popup-menu');
await popup.select('#kind', 'content');
await new Promise((resolve) => setTimeout(resolve, 1500));
await popup.select('#other', 'conex-page');
await popup.click('#compare');
await popup.waitForSelector('#legend:not([hidden])');
await shot(popup, 'popup-compare');
await page.bringToFront();
await shot(page, 'page-compare');
await ask(session, { do: 'run', tabId, choice: { kind: 'content' } });
await page.bringToFront();
const box = await page.evaluate(() => {
  const p = [...document.querySelectorAll('p')].find((p) => p.checkVisibility({ visibilityProperty: true }) && p.textContent.length > 80);
  p.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = p.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
});
await page.mouse.move(box.x, box.y);
await new Promise((resolve) => setTimeout(resolve, 900));
await shot(page, 'page-why');
console.log(JSON.stringify(await ask(session, { do: 'segments', tabId })).slice(0, 300));
await page.bringToFront();
await shot(page, 'page-segments');
const reader = await session.browser.newPage();
await reader.emulateMediaFeatures(scheme);
await reader.goto(`chrome-extension://${session.id}/reader/reader.html?tab=${tabId}`);
await reader.waitForSelector('body[data-ready]');
await shot(reader, 'reader');
await reader.select('#theme', 'sepia');
await shot(reader, 'reader-sepia');
await reader.select('#theme', 'system');
await session.panel.emulateMediaFeatures(scheme);
await session.panel.bringToFront();
await session.panel.select('#which', process.env.WHICH ?? 'auto');
await shot(session.panel, 'options', { fullPage: true });
console.log(noFaults());
await session.close();
server.close();
