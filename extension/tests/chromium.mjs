// Chromium with the extension in it, and hands to press its buttons.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { removeWhenLeft } from '../../tests/browser_profile.mjs';
import { root } from './site_server.mjs';

/** Messages that mean a fault of ours, wherever they come from. */
const faults = [];
export const noFaults = () => faults.splice(0);

/**
 * @param {{folder?: string, args?: string[]}} [how]
 */
export async function launch({ folder = 'chromium-test', args = [] } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'unchaff-chromium-'));
  const browser = await puppeteer.launch({
    executablePath: process.env.UNCHAFF_CHROMIUM ?? '/usr/bin/chromium',
    pipe: true,
    headless: true,
    userDataDir: profile,
    enableExtensions: [join(root, 'extension', 'build', folder)],
    defaultViewport: { width: 1200, height: 900 },
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--lang=en-US', ...args],
    protocolTimeout: 120_000,
  });
  const target = await browser.waitForTarget((candidate) => candidate.type() === 'service_worker' && candidate.url().endsWith('background.js'));
  const id = new URL(target.url()).host;
  const worker = await target.worker();
  worker.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  const close = async () => {
    await browser.close();
    await removeWhenLeft(profile);
  };
  return { browser, id, worker, close };
}

/** A page of the extension from which messages can be sent. */
export async function openPanel(session) {
  const panel = await session.browser.newPage();
  await panel.goto(`chrome-extension://${session.id}/options/options.html`);
  await panel.waitForSelector('body[data-ready]');
  session.panel = panel;
  return panel;
}

/** Opens an address and finds its tab. */
export async function open(session, url) {
  const page = await session.browser.newPage();
  await page.goto(url, { waitUntil: 'load' });
  await page.bringToFront();
  const tabId = await session.panel.evaluate(async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0].id);
  return { page, tabId };
}

/** Asks the background as the panel does. */
export const ask = (session, message) => session.panel.evaluate((message) => chrome.runtime.sendMessage({ to: 'background', ...message }), message);

/** What the agent in a page answers. */
export const askPage = (session, tabId, message) => session.panel.evaluate((tabId, message) => chrome.tabs.sendMessage(tabId, { to: 'page', ...message }), tabId, message);

/** The texts of a page that a person could see if nothing hid them, in order, each with whether it is seen. */
export const texts = (page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const text = walker.currentNode.data.trim();
      if (!text || parent.closest('script, style, noscript, template, svg, select, textarea, object, iframe')) continue;
      found.push({ text, seen: parent.checkVisibility({ visibilityProperty: true }) });
    }
    return found;
  });

/** Waits until something holds on a page. By a timer, because a tab that is not in front draws no frames. */
export const until = (page, holds, ...values) => page.waitForFunction(holds, { polling: 50 }, ...values);
