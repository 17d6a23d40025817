/** Separates what a web page is about from everything around it. */

/** A page: text as a browser has it, or the bytes as they came, of any charset. */
export type Html = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** What a part of a page is for. */
export type Kind = "content" | "template" | "menu" | "comments" | "ads";

/** Parts that can be wanted or not, whatever the technique says. */
export type Part = "comments" | "tables" | "images" | "links";

/** A compiled module, `WebAssembly.Module`, where the types of the surroundings know it. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;

/** What the module can be loaded from. */
export type Source = URL | string | Response | ArrayBuffer | ArrayBufferView | CompiledModule;

export interface LoadOptions {
  /** How many bytes of memory a page may take; beyond, it is an {@link UnchaffError} with the code `memory`. Default: 1 GiB. */
  mostMemory?: number;
  /** How many bytes of memory are kept between pages; beyond, they are given back. Default: 64 MiB. */
  keepMemory?: number;
}

/**
 * Loads the engine.
 * @param source Where the module is, or the module. Default: `unchaff.wasm` beside this file, which Node reads and browsers fetch.
 */
export function load(source?: Source | PromiseLike<Source>, options?: LoadOptions): Promise<Unchaff>;

/** Something that went wrong; the engine can be used further. */
export class UnchaffError extends Error {
  readonly name: "UnchaffError";
  /**
   * `option`: an argument makes no sense; `page`: the engine failed on this page; `memory`: the page needs more memory than it may have;
   * `model`: a model is damaged, freed or of another engine; `module`: the module cannot be loaded.
   */
  readonly code: "option" | "page" | "memory" | "model" | "module";
}

/** How a page is to be read. */
export interface Reading {
  /** The address of the page, against which links are resolved. */
  url?: string | URL;
  /** The charset of bytes, if what the page says itself is not to be believed. */
  charset?: string;
}

/** One of many pages. */
export interface GivenPage extends Reading {
  html: Html;
}

/** What the techniques' parameters are set to, by name. */
export type Settings = Record<string, string | number | boolean>;

export interface FindOptions extends Reading {
  /** What is looked for. Default: what the technique finds, else the content. */
  kind?: Kind;
  /** The name of a technique; {@link Unchaff.techniques} lists them. Default: the best for the kind, with the site if it is known. */
  technique?: string;
  /** Parameters of the technique. */
  settings?: Settings;
  /** What to be careful about; for the default techniques. */
  favor?: "precision" | "balanced" | "recall";
  /** Parts to take even where the technique leaves them out. */
  include?: Part | Iterable<Part>;
  /** Parts to leave out even where the technique takes them. */
  exclude?: Part | Iterable<Part>;
  /** What becomes of the page's title in Markdown: it stands once, as the technique found it, or is left out. */
  title?: "once" | "found" | "drop";
  /** Whether to say what led to the result. */
  explain?: boolean;
  /** What is known about the site. */
  site?: SiteModel;
  /** Other pages of the site, for techniques that compare; without a technique a model is learned from them. */
  pages?: Iterable<GivenPage>;
  /**
   * For techniques that compare: tell in `wanted` which pages the technique would have loaded besides. Fetch the first that was not tried, give it in
   * `pages` the next time, and ask again; so that the technique decides which pages are loaded, as it does natively.
   */
  lazy?: boolean;
}

export interface ExtractOptions extends FindOptions {
  /** What is written beside `html`. */
  formats?: Iterable<"annotated" | "skeleton">;
}

export interface DetectOptions extends FindOptions {
  /** The name of an attribute whose value is told of every element that has it, to find elements of a live page again. */
  mark?: string;
}

/** A value of the page's metadata, and where it stands. */
export interface Value<T = string> {
  value: T;
  source: string;
}

export interface Metadata {
  title: Value | null;
  author: Value[];
  published: Value | null;
  modified: Value | null;
  language: Value | null;
  site_name: Value | null;
  description: Value | null;
  image: Value | null;
  canonical: Value | null;
  kind: Value | null;
  tags: Value[];
  categories: Value[];
  licence: Value | null;
  paywalled: Value<boolean> | null;
}

/** A node of a block, which stands for all that is below it. */
export interface BlockNode {
  /** Positions among all children, from the document down: `/1/1/0`. */
  path: string;
  css: string;
  /** The element's name; `#text` for text. */
  tag: string;
  /** Where it stands in the page: start and end in bytes of UTF-8. */
  source: [number, number];
  text: string;
  confidence?: number;
  /** Paths of what is below it and not in the block. */
  without?: string[];
}

export interface Block {
  kind: Kind;
  /** How far to trust it, 0 to 1. */
  confidence?: number;
  nodes: BlockNode[];
}

export interface MenuItem {
  text: string;
  url: string | null;
  items?: MenuItem[];
}

export interface Explanation<Row = ExplanationRow> {
  columns: string[];
  rows: Row[];
  notes: string[];
  /** From which value of the first column on nodes are taken, if that decides. */
  threshold?: number;
}

export interface ExplanationRow {
  path: string;
  tag: string;
  /** A value for each column. */
  values: (number | null)[];
  remark?: string;
  /** What speaks for it and against it, if the technique can say. */
  why?: string;
}

/** What one reader wrote about a page. */
export interface Comment {
  author: string | null;
  /** ISO 8601 where that can be read, else as it stands on the page. */
  date: string | null;
  text: string;
  /** How many comments it answers, one answering the other. */
  depth: number;
}

export interface Warning {
  code: string;
  message: string;
}

/** What was found on a page: the JSON of the command (schema `unchaff/extraction/2`), and its HTML. */
export interface Extraction {
  schema: "unchaff/extraction/2";
  url?: string;
  charset: { name: string; source: "bom" | "given" | "meta" | "utf8" | "guessed" };
  technique: string;
  shows: Kind;
  template?: string;
  metadata: Metadata;
  blocks: Block[];
  menu?: MenuItem[];
  comments?: Comment[];
  explanation?: Explanation;
  embedded?: string;
  words: number;
  reading_minutes: number;
  fingerprint?: string;
  text: string;
  markdown: string;
  warnings: Warning[];
  /** Content markup only, with safe attributes and absolute addresses. */
  html: string;
  /** If asked for: the whole page, in which every element of a block carries `data-unchaff`. */
  annotated?: string;
  /** If asked for: the page with everything taken out that is not of the block. */
  skeleton?: string;
}

/** An element, or a text in one, as a program knows it that has the page's tree elsewhere. */
export interface NodeName {
  /** The number of the element: how many elements stand before it in the document. Of a text, that of the element it is right in. */
  element: number;
  /** Of a text: its place among the texts right in that element, from 0. */
  text?: number;
  /** The value of the attribute that `mark` names. */
  mark?: string;
}

/** A labelled node, which stands for all that is below it. */
export interface Label extends NodeName {
  path: string;
  tag: string;
  kind: Kind;
  confidence?: number;
  /** Where it stands in the page as a string: `html.slice(...range)`. */
  range: [number, number];
  /** What is below it and not in the block. */
  without?: PlacedNode[];
  /** What is below that, and in the block again: of all ranges around a place the innermost tells. */
  again?: PlacedNode[];
}

/** A node, and where it stands in the page as a string. */
export interface PlacedNode extends NodeName {
  range: [number, number];
}

export interface Detection {
  url?: string;
  technique: string;
  kind: Kind;
  template?: string;
  /** How far to trust the block of that kind, 0 to 1, if the technique can say. */
  confidence?: number;
  /** How many elements the page has. */
  elements: number;
  /** Elements of blocks, of all kinds that the technique looks for. */
  nodes: Label[];
  /** Texts of blocks whose elements are not in the block. */
  texts: Label[];
  /** The same as the command has it. */
  blocks: Block[];
  warnings: Warning[];
  explanation?: Explanation<ExplanationRow & PlacedNode>;
  /** With `lazy`: addresses of pages that were asked for and not given, in that order. */
  wanted?: string[];
}

export interface Parameter {
  name: string;
  default: string;
  /** The values it takes, in words. */
  takes: string;
  meaning: string;
}

export interface Technique {
  name: string;
  kind: Kind | "segments";
  /** What it needs: a page, other pages of the site too, or boxes of a rendered page. */
  level: "page" | "site" | "boxes";
  family: "learned" | "tree" | "stream" | "text" | "rules" | "boxes" | "other";
  /** Whether it is used when none is named. */
  default: boolean;
  summary: string;
  source: string;
  cost: string;
  parameters: Parameter[];
}

export interface ClusterOptions {
  /** What of two pages is compared. Default: `tag-shingles`. */
  distance?: string;
  method?: "single-linkage" | "k-median" | "stream";
  /** The distance up to which pages belong together, 0 to 1. */
  threshold?: number;
  /** How many clusters to make. */
  k?: number;
  /** Compare all pairs, also of more than 2,000 pages. */
  exact?: boolean;
}

export interface Clusters {
  pages: number;
  distance: string;
  method: string;
  threshold: number | null;
  exact: boolean;
  dunn: number | null;
  /** The largest first. Pages without an address go by their number, from 0. */
  clusters: { cluster: number; pages: number; representative: string; spread: number; urls: string[] }[];
  merges: { one: number; other: number; distance: number }[];
}

/** A box of a rendered page. */
export interface Box {
  /** Left, top, right, bottom in pixels of the page. */
  rect: [number, number, number, number];
  kind: "text" | "image" | "other";
  /** The position of the box that it is in. */
  parent?: number;
  /** The node it comes from, by its position in document order, texts and comments counted. */
  node?: number;
  /** With the option `mark`, instead: the value of that attribute of the element. */
  mark?: string | number;
  /** With `mark`: of a line of text, the place of the text among those right in that element. */
  text?: number;
  color?: string;
  background?: string;
  font_size?: number;
  bold?: boolean;
  italic?: boolean;
  decorated?: boolean;
  fixed?: boolean;
  inline?: boolean;
}

export interface Boxes {
  width: number;
  height: number;
  boxes: Box[];
}

export interface SegmentOptions extends Reading {
  /** The page that the boxes are of. */
  html?: Html;
  technique?: string;
  settings?: Settings;
  /** What is known about the site, for the kinds of segments. */
  site?: SiteModel;
  /** The attribute by which boxes name their elements. */
  mark?: string;
}

export interface Segment {
  kind?: string;
  box?: [number, number, number, number];
  nodes: (NodeName & { node: number; path: string })[];
  text: string;
}

export interface Segments {
  url?: string;
  technique: string;
  width?: number;
  height?: number;
  segments: Segment[];
  unclustered?: number;
  notes?: string[];
}

/** The engine. */
export class Unchaff {
  /** From a compiled module; {@link load} does it all. */
  constructor(module: CompiledModule, options?: LoadOptions);

  /** Everything that is found on a page. */
  extract(html: Html, options?: ExtractOptions): Extraction;

  /** The record alone, as the command writes it: a line of JSON, without the field `input`. */
  extractJson(html: Html, options?: FindOptions): string;

  /** The labelled nodes of a page. */
  detect(html: Html, options?: DetectOptions): Detection;

  /** What the pages of a site have in common. */
  learn(pages: Iterable<GivenPage>): SiteModel;

  /** Which pages are built alike. */
  cluster(pages: Iterable<GivenPage>, options?: ClusterOptions): Clusters;

  /** The parts that a person sees on a page, from the boxes that a browser made of it; with `null`, from the page alone. */
  segment(boxes: Boxes | string | Uint8Array | null, options?: SegmentOptions): Segments;

  /** All techniques, with their parameters. */
  techniques(): Technique[];

  readonly SiteModel: { fromBytes(bytes: Uint8Array | ArrayBuffer): SiteModel };

  /** How many bytes of memory the engine has now. */
  readonly memory: number;
}

/** What is known about a site: a sample of its pages, by what can be found again on others. It is the same in whatever order pages are learned. */
export class SiteModel {
  private constructor();

  /** From how many pages it is; it keeps a sample of at most 64. */
  readonly pages: number;

  /** Learns from pages: from all, or, if one of them is refused, from none. */
  learn(pages: Iterable<GivenPage>): void;

  /** Learns from one more page. */
  add(html: Html, options?: Reading): void;

  /** Learns what another model has learned. */
  merge(other: SiteModel): void;

  extract(html: Html, options?: Omit<ExtractOptions, "site" | "pages">): Extraction;
  extractJson(html: Html, options?: Omit<FindOptions, "site" | "pages">): string;
  detect(html: Html, options?: Omit<DetectOptions, "site" | "pages">): Detection;

  /** The model as bytes, to be kept; {@link Unchaff.SiteModel} reads them back. */
  toBytes(): Uint8Array;

  /** Takes it out of memory. It cannot be used again. */
  free(): void;
}
