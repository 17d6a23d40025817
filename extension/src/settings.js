// What the user has set, kept in the browser's storage and nowhere else.

/**
 * @typedef {'content'|'template'|'menu'|'comments'|'ads'} Kind
 * @typedef {object} SiteRule
 * @property {boolean} [always] act on every page of the site as soon as it is there
 * @property {Kind} [kind]
 * @property {string} [technique]
 *
 * @typedef {object} Settings
 * @property {Kind} kind what is shown if nothing else is asked for
 * @property {Partial<Record<Kind|'segments', string>>} technique the technique for each kind; the engine's default if none is named
 * @property {Record<string, Record<string, string>>} parameters by technique and name; only those that differ from the default
 * @property {'kept'|'closed'} gaps whether the places of what is hidden stay empty or are closed
 * @property {boolean} acts whether pressing the button changes the view at once, or only opens the panel
 * @property {number} pages how many pages of a site are loaded at most
 * @property {boolean} remembers whether what was learned about sites is kept
 * @property {Record<string, SiteRule>} sites by host
 * @property {{size: number, width: number, theme: 'system'|'light'|'dark'|'sepia'}} reader
 */

export const KINDS = ['content', 'template', 'menu', 'comments', 'ads'];
const THEMES = ['system', 'light', 'dark', 'sepia'];

/** @returns {Settings} */
export const defaults = () => ({
  kind: 'content',
  technique: {},
  parameters: {},
  gaps: 'kept',
  acts: true,
  pages: 12,
  remembers: true,
  sites: {},
  reader: { size: 19, width: 38, theme: 'system' },
});

const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const number = (value, least, most, otherwise) => (Number.isFinite(value) ? Math.min(most, Math.max(least, Math.round(value))) : otherwise);
const name = (value) => (typeof value === 'string' && /^[a-z0-9_-]{1,60}$/.test(value) ? value : undefined);

/**
 * Settings from anywhere (an older version, an imported file): what is wrong or unknown is dropped.
 * @returns {Settings}
 */
export function checked(given) {
  const settings = defaults();
  if (!isRecord(given)) return settings;
  if (KINDS.includes(given.kind)) settings.kind = given.kind;
  if (given.gaps === 'closed') settings.gaps = 'closed';
  if (given.acts === false) settings.acts = false;
  if (given.remembers === false) settings.remembers = false;
  settings.pages = number(given.pages, 1, 40, settings.pages);
  for (const kind of [...KINDS, 'segments']) {
    const technique = isRecord(given.technique) ? name(given.technique[kind]) : undefined;
    if (technique) settings.technique[kind] = technique;
  }
  for (const [technique, values] of Object.entries(isRecord(given.parameters) ? given.parameters : {}).slice(0, 200)) {
    if (!name(technique) || !isRecord(values)) continue;
    const kept = Object.entries(values).filter(([key, value]) => name(key) && typeof value === 'string' && value.length <= 200);
    if (kept.length > 0) settings.parameters[technique] = Object.fromEntries(kept);
  }
  for (const [host, rule] of Object.entries(isRecord(given.sites) ? given.sites : {}).slice(0, 1000)) {
    if (!/^[a-z0-9.:[\]-]{1,255}$/.test(host) || !isRecord(rule)) continue;
    const kept = { always: rule.always === true };
    if (KINDS.includes(rule.kind)) kept.kind = rule.kind;
    if (name(rule.technique)) kept.technique = rule.technique;
    settings.sites[host] = kept;
  }
  if (isRecord(given.reader)) {
    settings.reader.size = number(given.reader.size, 12, 40, settings.reader.size);
    settings.reader.width = number(given.reader.width, 20, 80, settings.reader.width);
    if (THEMES.includes(given.reader.theme)) settings.reader.theme = given.reader.theme;
  }
  return settings;
}

/** @returns {Promise<Settings>} */
export async function load() {
  const { settings } = await chrome.storage.local.get('settings');
  return checked(settings);
}

/**
 * @param {(settings: Settings) => void} change
 * @returns {Promise<Settings>}
 */
export async function update(change) {
  const settings = await load();
  change(settings);
  const whole = checked(settings);
  await chrome.storage.local.set({ settings: whole });
  return whole;
}
