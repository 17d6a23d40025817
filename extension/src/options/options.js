// The options: defaults, what is known of sites, every parameter of every technique, and all of it to a file and back.

import * as settings from '../settings.js';
import { fillTechniques } from '../techniques.js';
import { background, count, element, fillWords, words } from '../words.js';

const $ = (id) => /** @type {any} */ (document.getElementById(id));
const LISTED = [...settings.KINDS, 'segments'];

let registry = [];
let set = settings.defaults();

const say = (message, ...values) => void ($('done').textContent = words(message, ...values));

async function change(act) {
  set = await settings.update(act);
  say('kept');
}

function fillDefaults() {
  $('kind').replaceChildren(...settings.KINDS.map((kind) => element('option', { value: kind, textContent: words(`kind_${kind}`), selected: set.kind === kind })));
  $('techniques').replaceChildren(
    ...LISTED.map((kind) => {
      const list = element('select', { id: `technique-${kind}` });
      const byDefault = registry.find((technique) => technique.kind === kind && technique.isDefault && technique.level !== 'site');
      fillTechniques(list, registry, kind, set.technique[kind] ?? byDefault?.name);
      list.addEventListener('change', () => change(({ technique }) => void (technique[kind] = list.value)));
      return element('label', { className: 'row' }, element('span', { textContent: words('techniqueFor', words(`kind_${kind}`)) }), list);
    }),
  );
  $('gaps').value = set.gaps;
  $('acts').checked = set.acts;
  $('pages').value = set.pages;
  $('remembers').checked = set.remembers;
}

/** The field for a parameter: a list where the values are named, else text. */
function field(parameter, value) {
  const named = parameter.takes.split(' or ');
  const isList = named.length > 1 && named.every((word) => /^[\w.-]+$/.test(word));
  if (!isList) return element('input', { type: 'text', value, placeholder: parameter.takes });
  return element('select', {}, ...named.map((word) => element('option', { value: word, textContent: word, selected: word === value })));
}

function fillParameters() {
  const technique = registry.find(({ name }) => name === $('which').value);
  if (!technique) return;
  $('about').textContent = [technique.summary, technique.source, technique.cost && words('cost', technique.cost)].filter(Boolean).join('. ');
  const own = set.parameters[technique.name] ?? {};
  const rows = technique.parameters.map((parameter) => {
    const input = field(parameter, own[parameter.name] ?? parameter.default);
    input.id = `parameter-${parameter.name}`;
    const reset = element('button', { type: 'button', textContent: words('default') });
    const mark = () => {
      const changed = input.value !== parameter.default;
      input.classList.toggle('changed', changed);
      reset.disabled = !changed;
    };
    const keep = async () => {
      const refused = input.value !== parameter.default && (await background({ do: 'check', technique: technique.name, name: parameter.name, value: input.value })).problem;
      if (refused) {
        say('refused', parameter.name, parameter.takes);
        input.value = (set.parameters[technique.name] ?? {})[parameter.name] ?? parameter.default;
      } else {
        await change(({ parameters }) => {
          const values = (parameters[technique.name] ??= {});
          if (input.value === parameter.default) delete values[parameter.name];
          else values[parameter.name] = input.value;
          if (Object.keys(values).length === 0) delete parameters[technique.name];
        });
      }
      mark();
    };
    input.addEventListener('change', keep);
    reset.addEventListener('click', () => {
      input.value = parameter.default;
      keep();
    });
    mark();
    const label = element('label', { htmlFor: input.id }, element('code', { textContent: parameter.name }));
    return element('div', { className: 'parameter' }, label, input, reset, element('p', { className: 'faint', textContent: `${parameter.meaning} (${parameter.takes})` }));
  });
  $('parameters').replaceChildren(...(rows.length > 0 ? rows : [element('p', { className: 'faint', textContent: words('noParameters') })]));
}

function fillWhich() {
  const groups = LISTED.map((kind) => {
    const names = registry.filter((technique) => technique.kind === kind).map(({ name }) => element('option', { value: name, textContent: name }));
    return element('optgroup', { label: words(`kind_${kind}`) }, ...names);
  });
  $('which').replaceChildren(...groups);
  fillParameters();
}

async function fillLearned() {
  const known = await background({ do: 'learned' });
  if (known.length === 0) {
    $('learned').replaceChildren(element('p', { className: 'faint', textContent: words('nothingLearned') }));
    return;
  }
  const rows = known.map(({ host, pages, size }) => {
    const forget = element('button', { type: 'button', textContent: words('forget') });
    forget.addEventListener('click', async () => {
      await background({ do: 'forget', host });
      fillLearned();
    });
    return element('tr', {}, element('td', { textContent: host }), element('td', { textContent: words('learnedFrom', count(pages), count(Math.ceil(size / 1000))) }), element('td', {}, forget));
  });
  const all = element('button', { type: 'button', textContent: words('forgetAll') });
  all.addEventListener('click', async () => {
    await background({ do: 'forget' });
    fillLearned();
  });
  $('learned').replaceChildren(element('table', {}, ...rows), all);
}

function fillRules() {
  const rules = Object.entries(set.sites);
  if (rules.length === 0) {
    $('rules').replaceChildren(element('p', { className: 'faint', textContent: words('noRules') }));
    return;
  }
  const rows = rules.map(([host, rule]) => {
    const remove = element('button', { type: 'button', textContent: words('remove') });
    remove.addEventListener('click', async () => {
      await change(({ sites }) => void delete sites[host]);
      fillRules();
    });
    const what = [rule.always ? words('alwaysOn') : '', words(`kind_${rule.kind ?? set.kind}`), rule.technique ?? ''].filter(Boolean).join(', ');
    return element('tr', {}, element('td', { textContent: host }), element('td', { textContent: what }), element('td', {}, remove));
  });
  $('rules').replaceChildren(element('table', {}, ...rows));
}

function fillAll() {
  fillDefaults();
  fillParameters();
  fillRules();
}

$('kind').addEventListener('change', () => change((all) => void (all.kind = $('kind').value)));
$('gaps').addEventListener('change', () => change((all) => void (all.gaps = $('gaps').value)));
$('acts').addEventListener('change', () => change((all) => void (all.acts = $('acts').checked)));
$('pages').addEventListener('change', async () => {
  await change((all) => void (all.pages = Number($('pages').value)));
  $('pages').value = set.pages;
});
$('remembers').addEventListener('change', () => change((all) => void (all.remembers = $('remembers').checked)));
$('which').addEventListener('change', fillParameters);

$('export').addEventListener('click', () => {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify({ unchaff: 1, settings: set }, null, 2)}\n`], { type: 'application/json' }));
  element('a', { href: url, download: 'unchaff-settings.json' }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
});
$('import').addEventListener('click', () => $('file').click());
$('file').addEventListener('change', async () => {
  const [file] = $('file').files;
  $('file').value = '';
  if (!file) return;
  try {
    const given = JSON.parse(await file.text());
    if (given.unchaff !== 1) throw new SyntaxError('not ours');
    set = await settings.update((all) => void Object.assign(all, settings.checked(given.settings)));
    fillAll();
    say('imported');
  } catch {
    say('notSettings', file.name);
  }
});
$('reset').addEventListener('click', async () => {
  await change((all) => void Object.assign(all, settings.defaults()));
  fillAll();
});

fillWords();
set = await settings.load();
registry = await background({ do: 'techniques' });
fillWhich();
fillAll();
await fillLearned();
const commands = await chrome.commands.getAll();
$('keys').textContent = commands.filter(({ shortcut }) => shortcut).map(({ name, description, shortcut }) => `${description || (name === '_execute_action' ? words('command_panel') : name)}: ${shortcut}`).join(' · ');
document.body.dataset.ready = '';
