// The engine: the WebAssembly module, started when it is first needed, behind the few questions that the extension asks.

import { load } from './unchaff/index.js';

/** So many rows of what was computed are enough for a page; more is slow to send. */
const MOST_REASONS = 4000;

let started;

/** The engine, started once as long as the browser lets us live. */
export const engine = () => (started ??= start().catch((error) => {
  started = undefined;
  throw error;
}));

async function start() {
  const unchaff = await load(await (await fetch(chrome.runtime.getURL('unchaff/unchaff.wasm'))).arrayBuffer());
  return new Engine(unchaff, await unchaff.techniques());
}

class Engine {
  #unchaff;

  constructor(unchaff, techniques) {
    this.#unchaff = unchaff;
    /** All techniques, as the options and the panel list them. */
    this.registry = techniques.map(({ default: isDefault, ...technique }) => ({ ...technique, isDefault }));
  }

  #technique(name) {
    return this.registry.find((technique) => technique.name === name);
  }

  finds(technique, kind) {
    return this.#technique(technique)?.kind === kind;
  }

  /** The default for a kind among those that need no other page. */
  defaultFor(kind) {
    const fitting = this.registry.filter((technique) => technique.kind === kind && technique.level !== 'site');
    return (fitting.find((technique) => technique.isDefault) ?? fitting[0])?.name;
  }

  comparesPages(technique) {
    return this.#technique(technique)?.level === 'site';
  }

  /** Whether the technique is a view of the recipe that a learned model of the site can answer. */
  usesModel(technique) {
    const found = this.#technique(technique);
    return found?.level === 'site' && found.isDefault && ['content', 'template'].includes(found.kind);
  }

  /** Whether a technique takes a value for a parameter; if not, the reason. */
  async refuses(technique, name, value) {
    const { kind, level } = this.#technique(technique) ?? {};
    const html = '<title>a</title><p>a';
    try {
      const options = { technique, settings: { [name]: value } };
      if (kind === 'segments') await this.#unchaff.segment({ width: 1, height: 1, boxes: [] }, { html, ...options });
      else await this.#unchaff.detect(html, { ...options, url: 'http://site.invalid/', ...(level === 'site' ? { pages: [] } : {}) });
      return null;
    } catch (error) {
      return String(error.message);
    }
  }

  /**
   * Where a block is in the page's text.
   * @param {{kind: string, technique: string, parameters: Record<string, string>}} choice
   * @param {{pages?: object[]}} [site] pages that are at hand; what else is needed is `wanted`
   */
  async detect(html, url, { kind, technique, parameters }, site = {}) {
    const found = await this.#unchaff.detect(html, { url, kind, technique, settings: parameters, explain: true, ...site, ...(site.pages ? { lazy: true } : {}) });
    return readable(found, kind);
  }

  /** The same from what was learned before. */
  async detectWithModel(html, url, { kind }, bytes) {
    const model = this.#unchaff.SiteModel.fromBytes(bytes);
    try {
      return readable(await this.#unchaff.detect(html, { url, kind, site: model }), kind);
    } finally {
      model.free();
    }
  }

  /** What pages have in common, to be kept. */
  async learn(pages) {
    const model = this.#unchaff.learn(pages);
    try {
      return model.toBytes();
    } finally {
      model.free();
    }
  }

  /** A page in the forms to keep. */
  async extract(html, url, { kind, technique, parameters }, site = {}) {
    const formats = ['html', 'annotated'];
    let model;
    if (site.bytes) model = this.#unchaff.SiteModel.fromBytes(site.bytes);
    const how = model ? { kind, site: model } : { kind, technique, settings: parameters, ...(site.pages ? { pages: site.pages } : {}) };
    try {
      const { html: clean, annotated, ...record } = await this.#unchaff.extract(html, { url, ...how, formats });
      return { record, text: record.text, markdown: record.markdown, html: clean, annotated };
    } finally {
      model?.free();
    }
  }

  /** The segments of a page, with their boxes. */
  async segment(url, { html, mark, layout }, technique, parameters) {
    const { segments } = await this.#unchaff.segment(layout, { html, url, mark, technique, settings: parameters });
    return segments.map(({ box, kind }) => ({ rect: box, kind }));
  }
}

/** An answer as the page's agent reads it: parts by their place in the text, and reasons. */
function readable(found, kind) {
  const parts = [...found.nodes, ...(found.texts ?? [])]
    .filter((node) => node.kind === kind)
    .map(({ range, without, again, confidence }) => ({ range, without: without?.map((node) => node.range), again: again?.map((node) => node.range), confidence }));
  return { parts, confidence: found.confidence, warnings: found.warnings.map(({ message }) => message), why: reasons(found.explanation), wanted: found.wanted };
}

/** What was computed for each node, in a line. */
function reasons(explanation) {
  if (!explanation) return [];
  const { columns, rows } = explanation;
  const rounded = (value) => (value == null ? '–' : Number.isInteger(value) ? String(value) : value.toPrecision(3));
  return rows
    .filter(({ range }) => range)
    .slice(0, MOST_REASONS)
    .map(({ range, values, remark }) => {
      const pairs = columns.slice(0, 6).map((column, i) => `${column} ${rounded(values[i])}`);
      return { start: range[0], text: [remark, pairs.join(' · ')].filter(Boolean).join(': ') };
    });
}
