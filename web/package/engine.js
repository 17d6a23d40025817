// The WebAssembly module: instances of it, and calls.
//
// An instance lives until a call traps, or until its memory, which can only grow, is larger than what is worth keeping. What is known of sites is
// kept outside as bytes, so nothing is lost with an instance.

/** Something that went wrong. `code` says what: `option`, `page`, `memory`, `model` or `module`. */
export class UnchaffError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = "UnchaffError";
    this.code = code;
  }
}

const PAGE = 65_536;
/** What the module needs to start; ../build tells the linker the same number. */
const FIRST = 8 << 20;

const encoder = new TextEncoder();
// A byte order mark in an answer is part of a page.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The module, from wherever it is said to be. */
export async function compile(source) {
  const from = await source;
  if (from instanceof WebAssembly.Module) return from;
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) return WebAssembly.compile(from);
  if (typeof Response === "function" && from instanceof Response) return compileResponse(from);
  const url = new URL(from ?? "./unchaff.wasm", import.meta.url);
  if (url.protocol === "file:" && globalThis.process?.versions?.node) {
    // Named by a variable, so that bundlers for browsers do not look for it.
    const files = "node:fs/promises";
    const { readFile } = await import(files);
    return WebAssembly.compile(await readFile(url));
  }
  return compileResponse(await fetch(url));
}

async function compileResponse(response) {
  if (!response.ok) {
    throw new UnchaffError("module", `${response.url || "the module"} cannot be loaded: the server answered ${response.status}; the file is unchaff.wasm of the package`);
  }
  const isWasm = response.headers.get("content-type")?.split(";")[0].trim() === "application/wasm";
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** A page as it is given: its bytes, and what of it goes into a request. */
export function given(html, { url, charset } = {}) {
  const address = url === undefined || url === null ? undefined : String(url);
  if (typeof html === "string") {
    const bytes = encoder.encode(html);
    return { bytes, page: { length: bytes.length, text: true, url: address } };
  }
  const bytes = bytesOf(html);
  if (!bytes) {
    const kind = html === null ? "null" : Array.isArray(html) ? "an array" : typeof html;
    throw new UnchaffError("option", `a page is a string or bytes (Uint8Array, ArrayBuffer), not ${kind}`);
  }
  return { bytes, page: { length: bytes.length, url: address, charset } };
}

/** Bytes, if a value has any. */
export function bytesOf(value) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return undefined;
}

export const text = (bytes) => decoder.decode(bytes);
export const json = (bytes) => JSON.parse(decoder.decode(bytes));

/** Calls of a module, with instances as they are needed. */
export class Engine {
  #module;
  #most;
  #keep;
  #instance;
  /** Counts instances, so that what is in one is not looked for in another. */
  generation = 0;
  /** How many things are under way that only this instance knows of. */
  #pins = 0;

  constructor(module, { mostMemory = 2 ** 30, keepMemory = 64 << 20 } = {}) {
    this.#module = module;
    const isSize = (number) => Number.isFinite(number) && number >= FIRST && number <= 2 ** 32;
    if (!isSize(mostMemory)) throw new UnchaffError("option", `mostMemory is a number of bytes from ${FIRST} to ${2 ** 32}`);
    if (!isSize(keepMemory)) throw new UnchaffError("option", `keepMemory is a number of bytes from ${FIRST} to ${2 ** 32}`);
    this.#most = Math.floor(mostMemory / PAGE);
    this.#keep = keepMemory;
    this.#start();
  }

  #start() {
    const memory = new WebAssembly.Memory({ initial: FIRST / PAGE, maximum: this.#most });
    const { exports } = new WebAssembly.Instance(this.#module, { env: { memory, host_name: hostName(memory) } });
    exports.start();
    this.#instance = { memory, exports };
    this.generation += 1;
  }

  /** How many bytes of memory the engine has now. */
  get memory() {
    return this.#instance?.memory.buffer.byteLength ?? 0;
  }

  /** Does some work of several calls during which the instance stays, unless one of them traps. */
  together(work) {
    this.#pins += 1;
    try {
      return work();
    } finally {
      this.#pins -= 1;
      this.#tidy();
    }
  }

  /** The same for work that leaves something unfinished behind if it fails: then the instance goes. */
  wholly(work) {
    return this.together(() => {
      try {
        return work();
      } catch (error) {
        this.#instance = undefined;
        throw error;
      }
    });
  }

  /** Memory never shrinks, so an instance that has much of it is left behind. */
  #tidy() {
    if (this.#pins === 0 && this.memory > this.#keep) this.#instance = undefined;
  }

  /** Makes sure that there is an instance, and says which. */
  current() {
    if (!this.#instance) this.#start();
    return this.generation;
  }

  /** Calls a function: options and parts in, parts out. */
  ask(name, options, parts = [], code = "option") {
    this.current();
    const { memory, exports } = this.#instance;
    let answer;
    try {
      answer = call(memory, exports, name, options, parts);
    } catch (error) {
      if (error instanceof UnchaffError) throw error;
      this.#instance = undefined;
      throw trapped(error, memory, exports, this.#most * PAGE);
    }
    this.#tidy();
    if (answer.isError) throw new UnchaffError(code, text(answer.parts[0]));
    return answer.parts;
  }
}

function call(memory, exports, name, options, parts) {
  const header = encoder.encode(JSON.stringify(options));
  const length = parts.reduce((sum, part) => sum + part.length, 4 + header.length);
  const question = length < 2 ** 31 ? exports.allocate(length) >>> 0 : 0;
  if (question === 0) {
    throw new UnchaffError("memory", `${length} bytes do not fit into the memory of the engine; raise mostMemory, or leave the page out`);
  }
  const bytes = new Uint8Array(memory.buffer, question, length);
  new DataView(memory.buffer).setUint32(question, header.length, true);
  bytes.set(header, 4);
  let at = 4 + header.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const answer = exports[name](question, length) >>> 0;
  exports.free(question, length);
  // The memory may have grown, so views of it are made anew.
  const view = new DataView(memory.buffer);
  const number = (index) => view.getUint32(answer + 4 * index, true);
  let start = answer + 4 * (3 + number(2));
  const found = Array.from({ length: number(2) }, (_, index) => {
    const part = new Uint8Array(memory.buffer, start, number(3 + index)).slice();
    start += part.length;
    return part;
  });
  const result = { isError: number(1) === 1, parts: found };
  exports.free(answer, 4 + number(0));
  return result;
}

/**
 * What the module asks of the platform, which has the tables of Unicode: the name of a host in another script as it stands in addresses. It is written
 * over the one that is given; the answer is its length, 0 if it is no name.
 */
function hostName(memory) {
  return (pointer, length, room) => {
    const bytes = new Uint8Array(memory.buffer, pointer >>> 0, room);
    try {
      const { hostname } = new URL(`http://${text(bytes.slice(0, length))}/`);
      return encoder.encodeInto(hostname, bytes).written;
    } catch {
      return 0;
    }
  };
}

/** Why a call did not come back. */
function trapped(cause, memory, exports, most) {
  let said;
  try {
    const at = exports.panic_message() >>> 0;
    if (at !== 0) said = text(new Uint8Array(memory.buffer, at + 4, new DataView(memory.buffer).getUint32(at, true)));
  } catch {
    // The instance is broken, and this was only for the message.
  }
  if (said) return new UnchaffError("page", `the engine failed on this page: ${said}`, { cause });
  // Nobody panicked, so there was no memory, or no stack, left.
  return new UnchaffError("memory", `this page needs more than the ${most} bytes of memory that the engine may have; raise mostMemory, or leave it out`, { cause });
}
