// Other pages of a site, for techniques that compare.
//
// Which page is loaded next is the engine's decision (candidates by link order, until enough of them link to each other): it is asked again after every
// page. Here is only what a guest owes to a site and to the user: the same host, no cookies sent or kept, one page at a time, text/html, limits in number, size and
// time, a pause between two, and an end at any moment.

/** No page is read beyond this, in bytes. */
const MOST_BYTES = 5_000_000;
/** No page is waited for longer, in milliseconds. */
const MOST_TIME = 15_000;
/** Between two pages, in milliseconds. */
const PAUSE = 250;

export class Aborted extends Error {}

/**
 * One page, or nothing if there is none to be had there.
 * @param {string} url
 * @param {string} host the only one that it may come from
 * @param {AbortSignal} signal
 * @returns {Promise<{url: string, html: Uint8Array}|null>}
 */
async function fetchPage(url, host, signal) {
  const late = AbortSignal.timeout(MOST_TIME);
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { Accept: 'text/html,application/xhtml+xml' },
      signal: AbortSignal.any([signal, late]),
    });
    const type = response.headers.get('Content-Type') ?? '';
    const refused = !response.ok || !/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(type) || new URL(response.url).host !== host;
    if (refused || !response.body) {
      await response.body?.cancel();
      return null;
    }
    const pieces = [];
    let size = 0;
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST_BYTES) {
        await reader.cancel();
        return null;
      }
      pieces.push(value);
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    const charset = /charset\s*=\s*"?([\w:-]+)/i.exec(type)?.[1];
    return { url, html: bytes, charset };
  } catch {
    if (signal.aborted) throw new Aborted();
    return null;
  }
}

/**
 * Asks, loads what is wanted, and asks again, until nothing is wanted or no more may be loaded.
 * @template T
 * @param {object} how
 * @param {string} how.url the page in front
 * @param {number} how.most pages to load, failures included
 * @param {AbortSignal} how.signal
 * @param {(pages: object[]) => Promise<T & {wanted?: string[]}>} how.ask
 * @param {(loaded: number, url: string) => void} how.progress
 * @returns {Promise<{answer: T, pages: object[], loaded: number, limited: boolean}>}
 */
export async function gather({ url, most, signal, ask, progress }) {
  const { host, protocol } = new URL(url);
  const pages = [];
  const failed = [];
  let loaded = 0;
  for (;;) {
    if (signal.aborted) throw new Aborted();
    const answer = await ask(pages);
    const tried = new Set([...pages.map((page) => page.url), ...failed]);
    const next = (answer.wanted ?? []).find((wanted) => !tried.has(wanted) && sameHost(wanted, host, protocol));
    if (!next || loaded >= most) return { answer, pages, loaded, limited: Boolean(next) };
    if (loaded > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    progress(loaded, next);
    const page = await fetchPage(next, host, signal);
    loaded++;
    if (page) pages.push(page);
    else failed.push(next);
  }
}

function sameHost(address, host, protocol) {
  try {
    const parsed = new URL(address);
    return parsed.host === host && parsed.protocol === protocol;
  } catch {
    return false;
  }
}
