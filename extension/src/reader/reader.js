// The content alone, as clean HTML with good typography, to read and to print.

import * as settings from '../settings.js';
import { background, fillWords, words } from '../words.js';

const $ = (id) => /** @type {any} */ (document.getElementById(id));
const query = new URLSearchParams(location.search);

function apply({ size, width, theme }) {
  document.documentElement.style.setProperty('--size', `${size}px`);
  document.documentElement.style.setProperty('--width', `${width}em`);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $('theme').value = theme;
}

const change = async (act) => apply((await settings.update(({ reader }) => act(reader))).reader);
$('smaller').addEventListener('click', () => change((reader) => void (reader.size -= 1)));
$('larger').addEventListener('click', () => change((reader) => void (reader.size += 1)));
$('narrower').addEventListener('click', () => change((reader) => void (reader.width -= 4)));
$('wider').addEventListener('click', () => change((reader) => void (reader.width += 4)));
$('theme').addEventListener('change', () => change((reader) => void (reader.theme = $('theme').value)));
$('print').addEventListener('click', () => print());

/** What may be in a document to read. The engine writes no more than this; a second look costs nothing. */
const FORBIDDEN = 'script, style, iframe, frame, object, embed, form, input, button, select, textarea, link, meta, base, template';

/** The clean HTML as nodes, made inert first. */
function nodesOf(html) {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll(FORBIDDEN)) element.remove();
  for (const element of parsed.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      const address = ['href', 'src', 'poster', 'cite', 'srcset'].includes(name);
      if (/^on|^style$|^id$|^class$/.test(name) || (address && !/^(https?:|mailto:|data:image\/|#)/i.test(value.trim()))) element.removeAttribute(name);
    }
    if (element.localName === 'a') element.setAttribute('rel', 'noreferrer');
    if (element.localName === 'img') element.setAttribute('loading', 'lazy');
  }
  return [...parsed.body.childNodes].map((node) => document.adoptNode(node));
}

fillWords();
apply((await settings.load()).reader);
const choice = { kind: query.get('kind') ?? 'content', technique: query.get('technique') ?? undefined };
const answer = await background({ do: 'render', tabId: Number(query.get('tab')), choice });
if (answer.problem) {
  $('problem').textContent = answer.text;
  $('problem').hidden = false;
} else {
  const { metadata } = answer.record;
  const title = metadata?.title?.value ?? answer.title;
  document.title = title;
  $('title').textContent = title;
  const language = metadata?.language?.value;
  if (language) document.querySelector('main').lang = language;
  $('content').dir = $('title').dir = 'auto';
  $('site').textContent = [metadata?.site_name?.value ?? new URL(answer.url).host, minutes(answer.record.reading_minutes)].filter(Boolean).join(' · ');
  const authors = (metadata?.author ?? []).map(({ value }) => value).join(', ');
  $('by').textContent = [authors, day(metadata?.published?.value)].filter(Boolean).join(' · ');
  $('content').append(...nodesOf(answer.html ?? ''));
  // The title stands above already.
  const first = $('content').querySelector('h1');
  if (first && first.textContent.trim() === title?.trim()) first.remove();
  if (!$('content').textContent.trim()) {
    $('problem').textContent = words('nothingFound');
    $('problem').hidden = false;
  }
}
document.body.dataset.ready = '';

function minutes(number) {
  return number ? words('readingMinutes', number) : '';
}

function day(date) {
  const time = date ? new Date(date) : null;
  return time && !Number.isNaN(time.valueOf()) ? new Intl.DateTimeFormat(chrome.i18n.getUILanguage(), { dateStyle: 'long' }).format(time) : '';
}
