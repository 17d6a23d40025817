// The part of the extension that lives in a page: writes it down when asked, takes labels back to its live nodes, and watches it for changes.
//
// Results are kept here, by what was asked, as long as the page is the one that was judged; so a view that was seen before needs no engine.

(() => {
  const page = (globalThis.unchaffPage ??= {});
  if (page.agent) return;

  /** So many characters put in or taken out make it another page, which has to be judged again. */
  const ANOTHER_PAGE = 200;
  /** How long a page has to be quiet before it is judged again, in milliseconds. */
  const QUIET = 700;
  /** How often a page that changes itself is judged again while a view is on. */
  const MOST_REPEATS = 8;

  let capture = null;
  let number = 0;
  let changed = 0;
  let fresh = [];
  /** @type {Map<string, {members: Uint8Array, parts: object[], info: object}>} */
  let results = new Map();
  let shown = { view: 'original', key: null };
  let scrolledFrom = null;
  let waiting = 0;
  let repeats = 0;

  const UNSEEN = 'script, style, noscript, template, head';
  const length = (node) => (node.nodeType === 3 ? node.data : (node.textContent ?? '')).trim().length;

  const observer = new MutationObserver(noticed);
  function noticed(records) {
    for (const { type, target, addedNodes, removedNodes } of records) {
      if (type === 'characterData') continue;
      if (target.nodeType === 1 && target.closest(UNSEEN)) continue;
      for (const node of addedNodes) {
        if (page.view.isOurs(node) || (node.nodeType === 1 && node.matches(UNSEEN))) continue;
        if (node.nodeType !== 1 && node.nodeType !== 3) continue;
        changed += length(node);
        fresh.push(node);
      }
      for (const node of removedNodes) {
        if (page.view.isOurs(node) || (node.nodeType === 1 && node.matches(UNSEEN))) continue;
        changed += length(node);
      }
    }
    if (shown.view === 'original') return;
    unseen(() => fresh.splice(0).forEach((node) => page.view.adopt(node)));
    if (changed >= ANOTHER_PAGE && repeats < MOST_REPEATS) {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        repeats++;
        chrome.runtime.sendMessage({ to: 'background', do: 'changed' }).catch(() => {});
      }, QUIET);
    }
  }

  const watch = () => observer.observe(document, { childList: true, characterData: true, subtree: true });

  /** Does something to the page that must not count as a change of it. */
  function unseen(act) {
    noticedSoFar();
    observer.disconnect();
    try {
      return act();
    } finally {
      if (capture) watch();
    }
  }

  function noticedSoFar() {
    const records = observer.takeRecords();
    if (records.length > 0) noticed(records);
  }

  /** The page as text. With `again` what was written down before will do, as long as it is the page. */
  function take({ again }) {
    if (!(again && current())) write();
    return { capture: number, html: capture.html, url: location.href, title: document.title };
  }

  function write() {
    // What we have put on the page is not written down, so a view can stay on meanwhile.
    noticedSoFar();
    capture = page.capture();
    watch();
    number++;
    changed = 0;
    fresh = [];
    results = new Map();
  }

  /** Whether what was written down is still the page. */
  function current() {
    noticedSoFar();
    return capture !== null && changed < ANOTHER_PAGE;
  }

  function label({ capture: of, key, parts, info, anyway }) {
    noticedSoFar();
    if (of !== number || (changed >= ANOTHER_PAGE && !anyway)) return { changed: true };
    const members = page.view.membership(capture, parts);
    const { inside, all } = page.view.measure(capture, members);
    const whole = { ...info, inside, all };
    results.set(key, { members, parts, info: whole });
    return { changed: false, info: whole };
  }

  function present({ view, key }) {
    const result = results.get(key);
    if (!result) return;
    page.view.show(capture, result.members, view === 'complement');
    fresh.splice(0).forEach((node) => page.view.adopt(node));
  }

  function show({ view, key, gaps }) {
    page.overlay.quiet();
    page.overlay.unoutline();
    unseen(() => {
      page.view.clear();
      if (gaps) document.documentElement.setAttribute('data-unchaff-gaps', gaps);
      if (view === 'original') document.documentElement.removeAttribute('data-unchaff-gaps');
      else present({ view, key });
    });
    shown = { view, key };
    if (view === 'block') bringIntoView(results.get(key));
    else if (view === 'original' && scrolledFrom !== null) {
      scrollTo({ top: scrolledFrom, behavior: 'instant' });
      scrolledFrom = null;
    }
    return state();
  }

  /** The page stays where it is, unless nothing of the block is in the window. */
  function bringIntoView(result) {
    if (!result) return;
    const { first } = page.view.measure(capture, result.members);
    if (!first) return;
    const seen = capture.nodes.some((node, i) => {
      if (!capture.unit[i] || !result.members[i] || node.nodeType === 1) return false;
      const box = node.parentElement?.getBoundingClientRect();
      return box && box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    });
    if (seen) return;
    scrolledFrom ??= scrollY;
    first.scrollIntoView({ block: 'center', behavior: 'instant' });
  }

  function compare({ a, b }) {
    const [first, second] = [results.get(a), results.get(b)];
    if (!first || !second) return { missing: true };
    page.overlay.unoutline();
    const characters = unseen(() => page.view.compare(capture, first.members, second.members));
    shown = { view: 'compare', key: a, other: b };
    return { characters };
  }

  function state() {
    const known = current();
    return {
      view: shown.view,
      key: shown.key,
      other: shown.other ?? null,
      capture: number,
      known: known ? [...results.keys()] : [],
      info: known && shown.key ? (results.get(shown.key)?.info ?? null) : null,
    };
  }

  // ---- why, under the pointer

  const percent = (share) => new Intl.NumberFormat(chrome.i18n.getUILanguage(), { style: 'percent' }).format(share);

  /** The innermost part of the result around an element, with what was computed for it. */
  function reasonFor(element, result) {
    result.byNode ??= new Map(
      result.parts.map((part) => [capture.nodes[indexAt(part.range[0])], part]).filter(([node]) => node),
    );
    result.why ??= new Map((result.info.why ?? []).map((row) => [capture.nodes[indexAt(row.start)], row]).filter(([node]) => node));
    let part = null;
    let why = null;
    const at = (map, node) => map.get(node) ?? [...node.childNodes].map((child) => map.get(child)).find(Boolean) ?? null;
    for (let node = element; node && !(part && why); node = node.parentElement) {
      why ??= at(result.why, node);
      part ??= at(result.byNode, node);
    }
    return { part, why };
  }

  /** The node that starts at a place of the text. */
  function indexAt(place) {
    let [low, high] = [0, capture.places.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (capture.places[middle] < place) low = middle + 1;
      else high = middle;
    }
    // The place of a text is its first character that is no space; the engine's may be before that.
    const blank = capture.places[low] > place && capture.nodes[low]?.nodeType !== 1 && !capture.html.slice(place, capture.places[low]).trim();
    return capture.places[low] === place || blank ? low : -1;
  }

  let hovering = 0;
  document.addEventListener(
    'mousemove',
    (event) => {
      clearTimeout(hovering);
      page.overlay.quiet();
      if (shown.view !== 'block' && shown.view !== 'compare') return;
      hovering = setTimeout(() => explainAt(event), 450);
    },
    { passive: true, capture: true },
  );

  function explainAt({ target, clientX, clientY }) {
    const lines = [];
    for (const key of [shown.key, shown.other].filter(Boolean)) {
      const result = results.get(key);
      if (!result || !(target instanceof Element)) continue;
      const { part, why } = reasonFor(target, result);
      if (!part && shown.view === 'block') continue;
      const sure = part?.confidence ?? (part ? result.info.confidence : null);
      const name = `${result.info.technique}: ${part ? result.info.kindName : '–'}`;
      lines.push(sure == null ? name : `${name}, ${chrome.i18n.getMessage('sure', percent(sure))}`);
      if (why) lines.push(why.text);
    }
    if (lines.length > 0) page.overlay.explain(clientX, clientY, lines);
  }

  // ---- messages

  const answers = {
    state,
    capture: take,
    label,
    show,
    compare,
    say: ({ text, lasting, abort }) => {
      const button = abort && { label: chrome.i18n.getMessage('abort'), press: () => chrome.runtime.sendMessage({ to: 'background', do: 'abort' }) };
      page.overlay.say(text, { lasting, button });
    },
    hush: () => page.overlay.hush(),
    boxes: () => {
      show({ view: 'original', key: shown.key });
      return page.boxes(capture);
    },
    outline: ({ boxes }) => {
      show({ view: 'original', key: shown.key });
      page.overlay.outline(boxes);
      shown = { view: 'segments', key: shown.key };
    },
    gold: ({ label }) => {
      if (shown.view !== 'original') show({ view: 'original', key: shown.key });
      if (label) page.gold.start(label);
      else page.gold.stop();
      return { view: 'original', marked: page.gold.count() };
    },
    labelledPage: () => {
      take({});
      return { html: page.gold.labelled(capture), marked: page.gold.count() };
    },
    css: ({ css }) => void (page.css = css),
  };

  chrome.runtime.onMessage.addListener((message, _sender, respond) => {
    if (message?.to !== 'page' || !answers[message.do]) return false;
    try {
      respond(answers[message.do](message) ?? {});
    } catch (error) {
      respond({ error: error instanceof page.TooLarge ? 'tooLarge' : String(error?.message ?? error) });
    }
    return false;
  });

  page.agent = true;
})();
