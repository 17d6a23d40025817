// What was learned about sites, so that the next page of one needs no other page to be loaded.
//
// A model is a few dozen kilobytes of hashes, by host. The store is bounded in sites and bytes: the site that was not used for longest is forgotten first.

const MOST_SITES = 100;
const MOST_BYTES = 24_000_000;

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('learned-sites', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('sites', { keyPath: 'host' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Runs one transaction; what `act` returns is the request whose result is the answer. */
async function transact(mode, act) {
  const db = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction('sites', mode);
      const request = act(transaction.objectStore('sites'));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    db.close();
  }
}

/**
 * The model of a site, if it was learned.
 * @returns {Promise<{host: string, bytes: Uint8Array, pages: number}|undefined>}
 */
export async function recall(host) {
  const known = await transact('readonly', (sites) => sites.get(host));
  if (known) await transact('readwrite', (sites) => sites.put({ ...known, used: Date.now() }));
  return known;
}

/**
 * Keeps a model, and forgets others where there are too many.
 * @param {string} host
 * @param {Uint8Array} bytes
 * @param {number} pages how many pages it was learned from
 */
export async function remember(host, bytes, pages) {
  if (bytes.length > MOST_BYTES / 4) return;
  await transact('readwrite', (sites) => sites.put({ host, bytes, pages, used: Date.now() }));
  const all = (await list()).sort((a, b) => b.used - a.used);
  let total = 0;
  const forgotten = all.filter(({ size }, i) => (total += size) > MOST_BYTES || i >= MOST_SITES);
  for (const { host: old } of forgotten) await forget(old);
}

/** @returns {Promise<{host: string, size: number, pages: number, used: number}[]>} */
export async function list() {
  const all = await transact('readonly', (sites) => sites.getAll());
  return all.map(({ host, bytes, pages, used }) => ({ host, size: bytes.length, pages, used }));
}

export const forget = (host) => transact('readwrite', (sites) => sites.delete(host));
export const forgetAll = () => transact('readwrite', (sites) => sites.clear());
