// What happens when the button, the shortcut or the menu is pressed: the page is written down by its agent, judged by the engine, and its labels go back.
//
// The worker may be ended by the browser at any moment, so nothing is remembered here that matters: results are with the page, settings and learned sites in
// storage.

import { engine } from './engine.js';
import { Aborted, gather } from './related_pages.js';
import * as learned from './learned_sites.js';
import * as settings from './settings.js';
import { warc } from './warc.js';

const PAGE_SCRIPTS = ['page/capture.js', 'page/view.js', 'page/overlay.js', 'page/boxes.js', 'page/gold.js', 'page/agent.js'];
/** A page that changes while it is judged is judged again so many times, and then taken as it is. */
const MOST_TRIES = 3;
const NEXT = { original: 'block', block: 'complement', complement: 'original', compare: 'original', segments: 'original' };

/** What went wrong, as the name of a message and what is put into it. */
class Problem extends Error {
  constructor(message, ...values) {
    super(message);
    this.values = values;
  }
}

/** @type {Map<number, AbortController>} what runs in a tab */
const running = new Map();

// ---- pages

const toPage = (tabId, message) => chrome.tabs.sendMessage(tabId, { to: 'page', ...message }, { frameId: 0 });

/** Asks the page; it is given its agent first if it has none. */
async function ask(tabId, message) {
  let answer;
  try {
    answer = await toPage(tabId, message);
  } catch {
    await settle(tabId);
    answer = await toPage(tabId, message);
  }
  if (answer?.error) throw answer.error === 'tooLarge' ? new Problem('tooLarge') : new Problem('failed', answer.error);
  return answer;
}

/** Puts the agent into a page. */
async function settle(tabId) {
  let type;
  try {
    [{ result: type }] = await chrome.scripting.executeScript({ target: { tabId }, func: () => document.contentType });
  } catch {
    throw new Problem(await isPdf(tabId) ? 'notPdf' : 'notHere');
  }
  if (/pdf/.test(type)) throw new Problem('notPdf');
  if (!/html|^text\/plain/.test(type)) throw new Problem('notAPage', type);
  await chrome.scripting.insertCSS({ target: { tabId }, files: ['page/page.css'], origin: 'USER' });
  await chrome.scripting.executeScript({ target: { tabId }, files: PAGE_SCRIPTS });
  const css = await (await fetch(chrome.runtime.getURL('page/page.css'))).text();
  await toPage(tabId, { do: 'css', css });
}

async function isPdf(tabId) {
  const { url } = await chrome.tabs.get(tabId);
  return /\.pdf($|[?#])/i.test(url ?? '');
}

// ---- what is asked for

/**
 * @typedef {{kind: string, technique: string, parameters: Record<string, string>}} Choice
 * What to find, and how.
 */

const keyOf = ({ kind, technique, parameters }) => JSON.stringify([kind, technique, parameters]);
function choiceOf(key) {
  const [kind, technique, parameters] = JSON.parse(key);
  return { kind, technique, parameters };
}

/** A choice with everything that was left open filled in. */
async function completed({ kind, technique } = {}, url) {
  const set = await settings.load();
  const rule = set.sites[hostOf(url)] ?? {};
  const unchaff = await engine();
  kind ??= rule.kind ?? set.kind;
  technique ??= (rule.technique && unchaff.finds(rule.technique, kind) ? rule.technique : null) ?? set.technique[kind] ?? unchaff.defaultFor(kind);
  if (!unchaff.finds(technique, kind)) technique = unchaff.defaultFor(kind);
  return { kind, technique, parameters: set.parameters[technique] ?? {} };
}

function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}

// ---- judging

/** Ends what runs in a tab, and lets what comes now be ended. */
function started(tabId) {
  running.get(tabId)?.abort();
  const controller = new AbortController();
  running.set(tabId, controller);
  return controller;
}

/** Judges the page in a tab and gives it the labels. Returns what is known of the result. */
async function judge(tabId, choice) {
  const controller = started(tabId);
  try {
    const key = keyOf(choice);
    for (let attempt = 1; ; attempt++) {
      const captured = await ask(tabId, { do: 'capture', again: attempt === 1 });
      const found = await judged(tabId, captured, choice, controller.signal);
      const anyway = attempt === MOST_TRIES;
      const labelled = await ask(tabId, { do: 'label', capture: captured.capture, key, parts: found.parts, info: found.info, anyway });
      if (controller.signal.aborted) throw new Aborted();
      if (!labelled.changed) {
        if (anyway) await say(tabId, 'keepsChanging');
        return { key, info: labelled.info };
      }
      if (anyway) throw new Problem('keepsChanging');
    }
  } finally {
    if (running.get(tabId) === controller) running.delete(tabId);
  }
}

/** The engine's answer about a captured page. */
async function judged(tabId, { html, url }, choice, signal) {
  const unchaff = await engine();
  if (!unchaff.comparesPages(choice.technique)) return described(choice, await unchaff.detect(html, url, choice), {});
  return withSite(tabId, html, url, choice, signal);
}

/** The answer of a technique that compares pages. */
async function withSite(tabId, html, url, choice, signal) {
  const unchaff = await engine();
  const host = hostOf(url);
  const set = await settings.load();
  const fromModel = unchaff.usesModel(choice.technique) && Object.keys(choice.parameters).length === 0;
  if (fromModel && set.remembers) {
    const known = await learned.recall(host);
    const answer = known && (await unchaff.detectWithModel(html, url, choice, known.bytes));
    if (answer) return described(choice, answer, { remembered: known.pages });
  }
  if (!(await chrome.permissions.contains({ origins: [originPattern(url)] }))) throw new Problem('needsPermission', host);
  const progress = (loaded, address) => {
    tell({ do: 'progress', tabId, loaded, most: set.pages, address });
    toPage(tabId, { do: 'say', lasting: true, abort: true, text: chrome.i18n.getMessage('loading', [String(loaded + 1), String(set.pages)]) }).catch(() => {});
  };
  try {
    const { answer, pages, loaded } = await gather({
      url,
      most: set.pages,
      signal,
      ask: (pages) => unchaff.detect(html, url, choice, { pages }),
      progress,
    });
    if (fromModel && set.remembers && pages.length > 0) {
      await learned.remember(host, await unchaff.learn([{ url, html }, ...pages]), pages.length + 1);
    }
    await toPage(tabId, { do: 'hush' }).catch(() => {});
    if (pages.length === 0) await say(tabId, 'noPages');
    else if (pages.length < 3) await say(tabId, 'fewPages', String(pages.length));
    return described(choice, answer, { loaded, compared: pages.length });
  } catch (error) {
    await toPage(tabId, { do: 'hush' }).catch(() => {});
    throw error;
  }
}

/** A result with what a user is told about it. */
function described(choice, answer, site) {
  const kindName = chrome.i18n.getMessage(`kind_${choice.kind}`);
  const { parts, confidence, warnings, why } = answer;
  return { parts, info: { ...choice, kindName, confidence, warnings, why, site } };
}

const originPattern = (url) => `${new URL(url).protocol}//${new URL(url).hostname}/*`;

// ---- views

async function show(tabId, key, view) {
  const { gaps } = await settings.load();
  const state = await ask(tabId, { do: 'show', key, view, gaps });
  await badge(tabId, state);
  return state;
}

/** The next view; the page is judged first if it was not. */
async function press(tabId, asked) {
  const before = await ask(tabId, { do: 'state' });
  const { url } = await tabOf(tabId);
  const choice = asked ? await completed(asked, url) : before.key ? choiceOf(before.key) : await completed({}, url);
  const key = keyOf(choice);
  if (before.known.includes(key)) return show(tabId, key, asked && before.key !== key ? 'block' : NEXT[before.view]);
  if (!asked && before.view !== 'original') return show(tabId, key, 'original');
  await judge(tabId, choice);
  return show(tabId, key, 'block');
}

/** The address of the page; known to us only while we may see the tab. */
async function tabOf(tabId) {
  const tab = await chrome.tabs.get(tabId);
  return { url: tab.url ?? '', title: tab.title ?? '' };
}

async function known(tabId, choice) {
  const { known } = await ask(tabId, { do: 'state' });
  if (!known.includes(keyOf(choice))) await judge(tabId, choice);
  return keyOf(choice);
}

async function compare(tabId, a, b) {
  const { url } = await tabOf(tabId);
  const [first, second] = [await completed(a, url), await completed(b, url)];
  const keyA = await known(tabId, first);
  let keyB = await known(tabId, second);
  let answer = await ask(tabId, { do: 'compare', a: keyA, b: keyB });
  if (answer.missing) {
    // The page was written down again for the second, so the first is judged on that too.
    await judgeAgain(tabId, [first, second]);
    answer = await ask(tabId, { do: 'compare', a: keyA, b: (keyB = keyOf(second)) });
    if (answer.missing) throw new Problem('keepsChanging');
  }
  await badge(tabId, { view: 'compare' });
  return { view: 'compare', characters: answer.characters, a: first.technique, b: second.technique };
}

/** Several choices on one and the same capture. */
async function judgeAgain(tabId, choices) {
  const captured = await ask(tabId, { do: 'capture' });
  for (const choice of choices) {
    const found = await judged(tabId, captured, choice, new AbortController().signal);
    await ask(tabId, { do: 'label', capture: captured.capture, key: keyOf(choice), parts: found.parts, info: found.info, anyway: true });
  }
}

async function segments(tabId, technique) {
  const set = await settings.load();
  const unchaff = await engine();
  const chosen = technique ?? set.technique.segments ?? unchaff.defaultFor('segments');
  const { url } = await ask(tabId, { do: 'capture', again: true });
  const boxes = await ask(tabId, { do: 'boxes' });
  const found = await unchaff.segment(url, boxes, chosen, set.parameters[chosen] ?? {});
  const label = (segment, i) => `${i + 1}${segment.kind ? ` ${chrome.i18n.getMessage(`kind_${segment.kind}`) || segment.kind}` : ''}`;
  const outlines = found.filter((segment) => segment.rect).map((segment, i) => ({ rect: segment.rect, label: label(segment, i) }));
  await ask(tabId, { do: 'outline', boxes: outlines });
  await badge(tabId, { view: 'segments' });
  return { view: 'segments', count: outlines.length, technique: chosen };
}

/** The page as it is, and in the forms to keep: of what is chosen, by what is chosen. */
async function made(tabId, asked) {
  const { url, title } = await tabOf(tabId);
  const choice = await completed(asked, url);
  const unchaff = await engine();
  const captured = await ask(tabId, { do: 'capture', again: true });
  let site;
  if (unchaff.comparesPages(choice.technique)) {
    const known = unchaff.usesModel(choice.technique) ? await learned.recall(hostOf(captured.url)) : undefined;
    site = known ? { bytes: known.bytes } : await loaded(tabId, captured, choice);
  }
  return { captured, title, forms: await unchaff.extract(captured.html, captured.url, choice, site) };
}

async function render(tabId, asked) {
  const { captured, title, forms } = await made(tabId, asked);
  return { ...forms, title, url: captured.url };
}

async function archive(tabId, asked) {
  const { captured, title, forms } = await made(tabId, asked);
  const software = `unchaff ${chrome.runtime.getManifest().version}`;
  return { warc: warc({ url: captured.url, html: captured.html, markdown: forms.markdown, record: forms.record, software }), title };
}

/** The pages of the site that the technique asks for. */
async function loaded(tabId, { html, url }, choice) {
  if (!(await chrome.permissions.contains({ origins: [originPattern(url)] }))) throw new Problem('needsPermission', hostOf(url));
  const unchaff = await engine();
  const { pages: most } = await settings.load();
  const signal = started(tabId).signal;
  const ask = (pages) => unchaff.detect(html, url, choice, { pages });
  return { pages: (await gather({ url, most, signal, ask, progress: () => {} })).pages };
}

async function badge(tabId, { view }) {
  const texts = { original: '', block: '●', complement: '○', compare: '◐', segments: '▦' };
  await chrome.action.setBadgeText({ tabId, text: texts[view] ?? '' }).catch(() => {});
  await chrome.action.setTitle({ tabId, title: chrome.i18n.getMessage(`title_${view}`) }).catch(() => {});
}

async function say(tabId, message, ...values) {
  await toPage(tabId, { do: 'say', text: chrome.i18n.getMessage(message, values) }).catch(() => {});
}

// ---- messages from the panel, the options and pages

const tell = (message) => chrome.runtime.sendMessage({ to: 'panel', ...message }).catch(() => {});

const answers = {
  press: ({ tabId, choice }) => press(tabId, choice),
  state: async ({ tabId }) => ({ ...(await ask(tabId, { do: 'state' })), ...(await tabOf(tabId)) }),
  run: async ({ tabId, choice, view }) => {
    const { url } = await tabOf(tabId);
    const whole = await completed(choice, url);
    return show(tabId, await known(tabId, whole), view ?? 'block');
  },
  show: async ({ tabId, view, choice }) => {
    const { url } = await tabOf(tabId);
    return view === 'original' ? show(tabId, null, view) : show(tabId, await known(tabId, await completed(choice, url)), view);
  },
  compare: ({ tabId, a, b }) => compare(tabId, a, b),
  segments: ({ tabId, technique }) => segments(tabId, technique),
  render: ({ tabId, choice }) => render(tabId, choice),
  archive: ({ tabId, choice }) => archive(tabId, choice),
  gold: ({ tabId, label }) => ask(tabId, { do: 'gold', label }),
  labelledPage: async ({ tabId }) => ({ ...(await ask(tabId, { do: 'labelledPage' })), title: (await tabOf(tabId)).title }),
  techniques: async () => (await engine()).registry,
  choice: async ({ tabId, choice }) => completed(choice, (await tabOf(tabId)).url),
  whenAllowed: ({ tabId, choice }) => chrome.storage.session.set({ whenAllowed: { tabId, choice } }),
  check: async ({ technique, name, value }) => {
    const reason = await (await engine()).refuses(technique, name, value);
    return reason ? { problem: 'refused', text: reason } : {};
  },
  learned: () => learned.list(),
  forget: ({ host }) => (host ? learned.forget(host) : learned.forgetAll()),
  abort: ({ tabId }) => void running.get(tabId)?.abort(),
  changed: async ({ tabId }) => {
    const state = await ask(tabId, { do: 'state' });
    if (!state.key || !['block', 'complement'].includes(state.view)) return {};
    const choice = choiceOf(state.key);
    await judge(tabId, choice);
    return show(tabId, keyOf(choice), state.view);
  },
};

/** An answer, or the message that tells the user why there is none. */
async function answered(act) {
  try {
    return (await act()) ?? {};
  } catch (error) {
    if (error instanceof Aborted || error?.name === 'AbortError') return { problem: 'aborted', text: chrome.i18n.getMessage('aborted') };
    if (error instanceof Problem) return { problem: error.message, text: chrome.i18n.getMessage(error.message, error.values) };
    console.error(error);
    return { problem: 'failed', text: chrome.i18n.getMessage('failed', String(error?.message ?? error)) };
  }
}

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (message?.to !== 'background' || !Object.hasOwn(answers, message.do) || sender.id !== chrome.runtime.id) return false;
  answered(() => answers[message.do]({ ...message, tabId: message.tabId ?? sender.tab?.id })).then(respond);
  return true;
});

// ---- the shortcut, the menus, sites where it is always on

async function pressAndTell(tabId, asked) {
  const answer = await answered(() => press(tabId, asked));
  if (!answer.problem) return;
  await chrome.action.setBadgeText({ tabId, text: '!' }).catch(() => {});
  await chrome.action.setTitle({ tabId, title: answer.text }).catch(() => {});
  await toPage(tabId, { do: 'say', text: answer.text }).catch(() => {});
}

chrome.commands.onCommand.addListener(async (command, tab) => {
  if (!tab?.id) return;
  if (command === 'toggle-view') await pressAndTell(tab.id);
  else if (command === 'reader') await openReader(tab.id);
});

const openReader = (tabId) => chrome.tabs.create({ url: chrome.runtime.getURL(`reader/reader.html?tab=${tabId}`), openerTabId: tabId });

chrome.runtime.onInstalled.addListener(async () => {
  await chrome.contextMenus.removeAll();
  const add = (id, message, contexts = ['page', 'selection', 'link', 'image']) => chrome.contextMenus.create({ id, title: chrome.i18n.getMessage(message), contexts });
  for (const kind of settings.KINDS) add(`kind-${kind}`, `menu_${kind}`);
  add('reader', 'menu_reader');
  await chrome.action.setBadgeBackgroundColor({ color: '#0b6b57' });
});

chrome.contextMenus.onClicked.addListener(async ({ menuItemId }, tab) => {
  if (!tab?.id) return;
  const id = String(menuItemId);
  if (id === 'reader') await openReader(tab.id);
  else if (id.startsWith('kind-')) await pressAndTell(tab.id, { kind: id.slice('kind-'.length) });
});

// What the user has just allowed is done, even if the question has closed the panel.
chrome.permissions.onAdded.addListener(async ({ origins }) => {
  const { whenAllowed } = await chrome.storage.session.get('whenAllowed');
  if (!whenAllowed || !origins?.length) return;
  await chrome.storage.session.remove('whenAllowed');
  const { tabId, choice } = whenAllowed;
  tell({ do: 'answer', tabId, answer: await answered(() => answers.run({ tabId, choice })) });
});

// Only tabs of sites that the user has allowed show us their address.
chrome.tabs.onUpdated.addListener(async (tabId, { status }, tab) => {
  if (status !== 'complete' || !tab.url?.startsWith('http')) return;
  const { sites } = await settings.load();
  if (!sites[hostOf(tab.url)]?.always) return;
  const { view } = await toPage(tabId, { do: 'state' }).catch(() => ({ view: 'original' }));
  if (view === 'original') await pressAndTell(tabId, {});
});

chrome.tabs.onRemoved.addListener((tabId) => running.get(tabId)?.abort());
