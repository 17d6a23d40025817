// unchaff separates what a web page is about from everything around it.
//
//     import { load } from "unchaff";
//     const unchaff = await load();
//     console.log(unchaff.extract(html, { url }).markdown);

import { Engine, UnchaffError, bytesOf, compile, given, json, text } from "./engine.js";

export { UnchaffError };

/** Loads the engine: the module beside this file, or what is given. */
export async function load(source, options) {
  return new Unchaff(await compile(source), options);
}

/** A list, of one that came alone or of many. */
const listed = (value) => (value === undefined || value === null ? undefined : typeof value === "string" ? [value] : [...value]);

export class Unchaff {
  #engine;
  #jobs = 0;

  /** From a compiled module. */
  constructor(module, options) {
    this.#engine = new Engine(module, options);
    this.SiteModel = Object.freeze({ fromBytes: (bytes) => SiteModel.opened(this.#engine, this, bytes) });
  }

  /** How many bytes of memory the engine has now. */
  get memory() {
    return this.#engine.memory;
  }

  /** Everything that is found on a page, as the command's JSON, and its HTML. */
  extract(html, options = {}) {
    const formats = ["html", ...(listed(options.formats) ?? [])];
    const [record, ...written] = this.#ask("extract", html, { ...options, formats });
    const found = json(record);
    written.forEach((bytes, at) => (found[formats[at]] = text(bytes)));
    return found;
  }

  /** The record alone, as the command writes it. */
  extractJson(html, options = {}) {
    return text(this.#ask("extract", html, { ...options, formats: [] })[0]);
  }

  /** The labelled nodes of a page. */
  detect(html, options = {}) {
    return json(this.#ask("detect", html, options)[0]);
  }

  #ask(name, html, options) {
    const { url, charset, site, pages, include, exclude, ...rest } = options;
    const { page, bytes } = given(html, { url, charset });
    const others = pages ? Array.from(pages, (other) => given(other.html, other)) : undefined;
    const asked = { ...rest, page, pages: others?.map((other) => other.page), include: listed(include), exclude: listed(exclude) };
    const parts = [bytes, ...(others ?? []).map((other) => other.bytes)];
    return this.#engine.together(() => this.#engine.ask(name, { ...asked, site: this.#number(site) }, parts));
  }

  #number(site) {
    if (site === undefined || site === null) return undefined;
    if (!(site instanceof SiteModel)) throw new UnchaffError("option", "site is a SiteModel, as learn() makes one; pages are given as pages");
    return site.number(this.#engine);
  }

  /** What the pages of a site have in common. */
  learn(pages) {
    const model = SiteModel.opened(this.#engine, this);
    model.learn(pages);
    return model;
  }

  /** All techniques, with their parameters. */
  techniques() {
    return json(this.#engine.ask("techniques", {})[0]);
  }

  /** Which pages are built alike. */
  cluster(pages, options = {}) {
    const job = (this.#jobs += 1);
    return this.#engine.wholly(() => {
      for (const other of pages) {
        const { page, bytes } = given(other.html, other);
        this.#engine.ask("cluster_add", { job, page, distance: options.distance }, [bytes]);
      }
      return json(this.#engine.ask("cluster_finish", { ...options, job })[0]);
    });
  }

  /** The parts that a person sees on a page, from the boxes that a browser made of it. */
  segment(boxes, options = {}) {
    const { html = "", url, charset, site, ...rest } = options;
    const { page, bytes } = given(html, { url, charset });
    const parts = [bytes];
    if (boxes !== undefined && boxes !== null) {
      parts.push(bytesOf(boxes) ?? new TextEncoder().encode(typeof boxes === "string" ? boxes : JSON.stringify(boxes)));
    }
    const asked = { ...rest, page, boxes: parts[1]?.length };
    const [answer] = this.#engine.together(() => this.#engine.ask("segment", { ...asked, site: this.#number(site) }, parts));
    const { names, ...found } = json(answer);
    found.segments.forEach((segment, at) => segment.nodes.forEach((node, index) => Object.assign(node, names[at][index])));
    return found;
  }
}

/** What is known about a site. It is kept as bytes, and is in the engine while that needs it. */
export class SiteModel {
  #engine;
  #unchaff;
  #bytes;
  #at;
  #pages = 0;

  /** @internal */
  static opened(engine, unchaff, bytes) {
    const model = new SiteModel();
    model.#engine = engine;
    model.#unchaff = unchaff;
    if (bytes !== undefined) {
      const given = bytesOf(bytes);
      if (!given) throw new UnchaffError("model", "a model is bytes (Uint8Array, ArrayBuffer), as toBytes() gives them");
      model.#bytes = given.slice();
    }
    model.number(engine);
    return model;
  }

  /** @internal The number of the model in the engine as it is now. */
  number(engine) {
    if (engine !== this.#living()) throw new UnchaffError("model", "this model belongs to another engine; hand its bytes over with SiteModel.fromBytes()");
    const generation = engine.current();
    if (this.#at?.generation !== generation) {
      const parts = this.#bytes ? [this.#bytes] : [];
      const [number, pages] = json(engine.ask("model_open", { length: this.#bytes?.length }, parts, "model")[0]);
      this.#at = { generation: engine.generation, number };
      this.#pages = pages;
    }
    return this.#at.number;
  }

  /** From how many pages it is. */
  get pages() {
    return this.#pages;
  }

  /** Does some learning, wholly or not at all. */
  #change(work) {
    const engine = this.#living();
    try {
      engine.wholly(() => {
        work(engine, this.number(engine));
        this.#bytes = engine.ask("model_bytes", { model: this.#at.number })[0];
      });
    } catch (error) {
      this.number(engine);
      throw error;
    }
  }

  #living() {
    if (!this.#engine) throw new UnchaffError("model", "this model was freed; keep its bytes to use it again");
    return this.#engine;
  }

  /** Learns from pages, one after another. */
  learn(pages) {
    this.#change((engine, model) => {
      for (const other of pages) {
        const { page, bytes } = given(other.html, other);
        this.#pages = json(engine.ask("model_add", { model, pages: [page] }, [bytes])[0]);
      }
    });
  }

  /** Learns from one more page. */
  add(html, options = {}) {
    this.learn([{ ...options, html }]);
  }

  /** Learns what another model has learned. */
  merge(other) {
    if (!(other instanceof SiteModel)) throw new UnchaffError("model", "only a SiteModel can be merged");
    this.#change((engine, model) => {
      this.#pages = json(engine.ask("model_merge", { model, other: other.number(engine) })[0]);
    });
  }

  extract(html, options = {}) {
    return this.#owner().extract(html, { ...options, site: this });
  }

  extractJson(html, options = {}) {
    return this.#owner().extractJson(html, { ...options, site: this });
  }

  detect(html, options = {}) {
    return this.#owner().detect(html, { ...options, site: this });
  }

  #owner() {
    this.#living();
    return this.#unchaff;
  }

  /** The model as bytes, to be kept. */
  toBytes() {
    const engine = this.#living();
    this.#bytes ??= engine.together(() => engine.ask("model_bytes", { model: this.number(engine) })[0]);
    return this.#bytes.slice();
  }

  /** Takes it out of memory. It cannot be used again. */
  free() {
    const engine = this.#engine;
    if (engine && engine.memory > 0 && this.#at?.generation === engine.generation) engine.ask("model_close", { model: this.#at.number });
    this.#engine = this.#unchaff = this.#bytes = this.#at = undefined;
  }
}
