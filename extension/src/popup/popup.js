// The panel behind the button: what to see, by which technique, how sure it is, and what to do with it.

import { fillTechniques } from '../techniques.js';
import * as settings from '../settings.js';
import { background, count, element, fillWords, percent, words } from '../words.js';

const $ = (id) => /** @type {any} */ (document.getElementById(id));
const KINDS = [...settings.KINDS, 'segments'];

/** The tab in front; a panel that is opened as a page is told which. */
async function tabInFront() {
  const given = new URLSearchParams(location.search).get('tab');
  if (given) return chrome.tabs.get(Number(given));
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab;
}

let tab;
let registry = [];
let kind = 'content';

const choice = () => ({ kind, technique: $('technique').value || undefined });
const origin = () => {
  try {
    const url = new URL(tab.url);
    return /^https?:$/.test(url.protocol) ? `${url.protocol}//${url.hostname}/*` : null;
  } catch {
    return null;
  }
};

function fillKinds() {
  $('kind').replaceChildren(...KINDS.map((name) => element('option', { value: name, textContent: words(`kind_${name}`), selected: name === kind })));
}

function fillLists(technique) {
  fillTechniques($('technique'), registry, kind, technique);
  const other = $('technique').value;
  fillTechniques($('other'), registry, kind);
  const second = [...$('other').options].find((option) => option.value !== other);
  if (second) second.selected = true;
  $('compare-row').hidden = kind === 'segments' || !second;
  $('take').hidden = kind === 'segments';
  describe();
}

function describe() {
  const technique = registry.find(({ name }) => name === $('technique').value);
  $('summary').textContent = technique?.summary ?? '';
  $('summary').title = technique?.source ?? '';
  $('views').querySelector('[data-view=block]').textContent = words(`kind_${kind}`);
  $('views').querySelector('[data-view=complement]').hidden = kind === 'segments';
}

/** Shows an answer of the background: the view, how sure it is, or what is wrong. */
function tell(answer) {
  $('progress').hidden = true;
  $('problem').hidden = !answer.problem || answer.problem === 'needsPermission';
  $('problem').textContent = answer.text ?? '';
  $('permission').hidden = answer.problem !== 'needsPermission';
  $('permission-why').textContent = answer.problem === 'needsPermission' ? answer.text : '';
  if (answer.problem) {
    // What is known of another technique is no answer for this one.
    $('result').hidden = $('legend').hidden = true;
    return;
  }
  const pressed = { compare: '', segments: 'block' }[answer.view] ?? answer.view;
  for (const button of $('views').children) button.setAttribute('aria-pressed', String(button.dataset.view === pressed));
  $('legend').hidden = answer.view !== 'compare';
  const { info } = answer;
  $('result').hidden = !info && answer.view !== 'segments';
  $('warnings').replaceChildren();
  const rated = info?.confidence != null;
  $('confidence').hidden = $('sure').hidden = !rated;
  $('confidence').closest('.row').hidden = !rated;
  if (answer.view === 'segments') $('facts').textContent = words('segmentsFound', count(answer.count));
  if (!info) return;
  $('confidence').value = info.confidence ?? 0;
  $('sure').textContent = rated ? percent(info.confidence) : '';
  $('facts').textContent = facts(info).join(' ');
  $('warnings').append(...(info.warnings ?? []).slice(0, 4).map((text) => element('li', { textContent: text })));
}

function facts({ inside, all, site, confidence }) {
  const lines = [inside === 0 ? words('nothingFound') : words('share', percent(all ? inside / all : 0), count(inside))];
  if (site?.remembered) lines.push(words('fromMemory', count(site.remembered)));
  if (site?.compared !== undefined) lines.push(words('comparedWith', count(site.compared), count(site.loaded)));
  if (inside > 0) lines.push(words(confidence == null ? 'notRated' : 'hoverForWhy'));
  return lines;
}

let turn = 0;

async function act(message) {
  const mine = ++turn;
  document.body.setAttribute('aria-busy', 'true');
  const answer = await background({ tabId: tab.id, ...message });
  // What was asked for meanwhile has taken its place.
  if (mine === turn) {
    tell(answer);
    document.body.removeAttribute('aria-busy');
  }
  return answer;
}

const run = () => (kind === 'segments' ? act({ do: 'segments', technique: $('technique').value }) : act({ do: 'run', choice: choice() }));

// ---- controls

$('views').addEventListener('click', ({ target }) => {
  const view = target.closest('button')?.dataset.view;
  if (!view) return;
  if (kind === 'segments' && view === 'block') run();
  else act({ do: 'show', view, choice: choice() });
});

$('kind').addEventListener('change', async () => {
  kind = $('kind').value;
  const { technique } = kind === 'segments' ? { technique: undefined } : await background({ do: 'choice', tabId: tab.id, choice: { kind } });
  fillLists(technique);
  run();
});

$('technique').addEventListener('change', () => {
  describe();
  run();
});

$('compare').addEventListener('click', async () => {
  const answer = await act({ do: 'compare', a: choice(), b: { kind, technique: $('other').value } });
  if (answer.problem) return;
  const { agree, onlyA, onlyB } = answer.characters;
  const total = agree + onlyA + onlyB || 1;
  $('name-a').textContent = words('onlyBy', answer.a);
  $('name-b').textContent = words('onlyBy', answer.b);
  $('agree').textContent = percent(agree / total);
  $('only-a').textContent = percent(onlyA / total);
  $('only-b').textContent = percent(onlyB / total);
});

$('allow').addEventListener('click', async () => {
  // The question may close the panel, so what is to be done then is left with the background. The request comes in the same turn, or
  // the browser does not take it for the user's wish.
  background({ do: 'whenAllowed', tabId: tab.id, choice: choice() });
  const granted = await chrome.permissions.request({ origins: [origin()] });
  $('permission').hidden = granted;
});

$('abort').addEventListener('click', () => background({ do: 'abort', tabId: tab.id }));

chrome.runtime.onMessage.addListener((message) => {
  if (message?.to !== 'panel' || message.tabId !== tab?.id) return;
  if (message.do === 'answer') tell(message.answer);
  if (message.do !== 'progress') return;
  $('progress').hidden = false;
  $('bar').max = message.most;
  $('bar').value = message.loaded;
  $('loading').textContent = message.address;
});

async function rendered() {
  const format = $('format').value;
  const answer = await background({ do: format === 'warc' ? 'archive' : 'render', tabId: tab.id, choice: choice() });
  if (answer.problem) {
    tell(answer);
    return null;
  }
  const text = format === 'json' ? JSON.stringify(answer.record, null, 2) : answer[format];
  return { text, format, title: answer.title };
}

$('copy').addEventListener('click', async () => {
  const made = await rendered();
  if (!made) return;
  await navigator.clipboard.writeText(made.text);
  $('done').textContent = words('copied', count(made.text.length));
});

/** Gives the browser a text to save, under the name of the page. */
function save(text, title, ending) {
  const name = `${(title || 'page').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 80) || 'page'}.${ending}`;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  $('done').textContent = words('saved', name);
}

const ENDINGS = { markdown: 'md', html: 'html', json: 'json', text: 'txt', annotated: 'html', warc: 'warc' };

$('save').addEventListener('click', async () => {
  const made = await rendered();
  if (made) save(made.text, made.title, ENDINGS[made.format]);
});

$('gold-start').addEventListener('click', async () => {
  const answer = await act({ do: 'gold', label: $('gold-label').value });
  // The page has to be pointed at, and the panel is in the way.
  if (!answer.problem && !new URLSearchParams(location.search).has('tab')) close();
});
$('gold-stop').addEventListener('click', () => act({ do: 'gold' }));
$('gold-save').addEventListener('click', async () => {
  const answer = await background({ do: 'labelledPage', tabId: tab.id });
  if (answer.problem) tell(answer);
  else if (answer.marked === 0) $('done').textContent = words('goldNone');
  else save(answer.html, answer.title, 'gold.html');
});

$('reader').addEventListener('click', async () => {
  const query = new URLSearchParams({ tab: String(tab.id), kind, technique: $('technique').value });
  await chrome.tabs.create({ url: chrome.runtime.getURL(`reader/reader.html?${query}`), openerTabId: tab.id });
});

$('options').addEventListener('click', () => chrome.runtime.openOptionsPage());

$('always').addEventListener('change', async () => {
  const wanted = $('always').checked;
  // Asked for first, in the same turn; the rule is kept meanwhile, because the question may close the panel.
  const asking = wanted ? chrome.permissions.request({ origins: [origin()] }) : null;
  const { host } = new URL(tab.url);
  const rule = (isOn) =>
    settings.update(({ sites }) => {
      if (isOn) sites[host] = { ...sites[host], always: true, kind: kind === 'segments' ? 'content' : kind, technique: kind === 'segments' ? undefined : choice().technique };
      else delete sites[host];
    });
  await rule(wanted);
  if (asking && !(await asking)) {
    $('always').checked = false;
    await rule(false);
  }
});

// ---- the beginning

fillWords();
tab = await tabInFront();
const set = await settings.load();
registry = await background({ do: 'techniques' });
const state = await background({ do: 'state', tabId: tab.id });
if (state.problem) {
  tell(state);
  for (const control of document.querySelectorAll('button:not(#options), select, input')) control.disabled = true;
} else {
  const before = state.key ? JSON.parse(state.key) : null;
  const chosen = before ? { kind: before[0], technique: before[1] } : await background({ do: 'choice', tabId: tab.id, choice: {} });
  kind = chosen.kind;
  fillKinds();
  fillLists(chosen.technique);
  $('always').checked = Boolean(origin() && set.sites[new URL(tab.url).host]?.always);
  $('always').disabled = !origin();
  if (set.acts) await act({ do: 'press' });
  else tell(state);
}
document.body.dataset.ready = '';
