// Marking of gold in the page: what a person says is content, main menu, comments, advertisements, or of this page alone.
//
// A click gives an element, with all that is in it, the label that is chosen; a second click takes it back. What is saved is the page as it was written down, with the
// classes of the TeCo suite that the workbench reads, on every element concerned. The live page gets outlines, drawn over it, and nothing else.

(() => {
  const page = (globalThis.unchaffPage ??= {});
  if (page.gold) return;

  /** The label that the workbench reads, and the colour it is drawn in. */
  const LABELS = {
    content: { class: 'TECO_mainContent', hue: 140 },
    specific: { class: 'TECO_notTemplate', hue: 212 },
    menu: { class: 'TECO_mainMenu', hue: 28 },
    comments: { class: 'TECO_comments', hue: 280 },
    ads: { class: 'TECO_ads', hue: 350 },
  };

  /** @type {Map<Element, Set<string>>} */
  let given = new Map();
  let label = 'content';
  let over = null;
  let on = false;

  const within = (event) => event.composedPath()[0];

  function draw() {
    const boxes = [];
    for (const [element, labels] of given) {
      if (!element.isConnected) continue;
      for (const name of labels) boxes.push({ rect: rectOf(element), label: chrome.i18n.getMessage(`gold_${name}`), hue: LABELS[name].hue });
    }
    if (over?.isConnected) boxes.push({ rect: rectOf(over), label: over.localName, hue: 0 });
    page.overlay.outline(boxes);
  }

  function rectOf(element) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY];
  }

  const ours = (element) => element instanceof Element && element.closest('[data-unchaff-own]');

  function moved(event) {
    const element = within(event);
    if (!(element instanceof Element) || ours(element) || element === over) return;
    over = element;
    draw();
  }

  function clicked(event) {
    const element = within(event);
    if (ours(element)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!(element instanceof Element)) return;
    const labels = given.get(element) ?? new Set();
    if (!labels.delete(label)) labels.add(label);
    if (labels.size > 0) given.set(element, labels);
    else given.delete(element);
    draw();
  }

  function pressed(event) {
    if (event.key === 'Escape') stop();
    // The element around the one under the pointer, for what cannot be pointed at.
    if (event.key === 'ArrowUp' && over?.parentElement) {
      event.preventDefault();
      over = over.parentElement;
      draw();
    }
    if (event.key === 'Enter' && over) clicked({ composedPath: () => [over], preventDefault() {}, stopImmediatePropagation() {} });
  }

  const listeners = { mousemove: moved, click: clicked, keydown: pressed };

  function start(chosen) {
    label = LABELS[chosen] ? chosen : 'content';
    if (on) return;
    on = true;
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, { capture: true });
    draw();
  }

  function stop() {
    on = false;
    over = null;
    for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, { capture: true });
    page.overlay.unoutline();
  }

  /** The text of a capture with the classes of the labels on all elements concerned. */
  function labelled({ html, nodes, places, parent }) {
    const classes = nodes.map(() => new Set());
    const pieces = [];
    let from = 0;
    nodes.forEach((node, i) => {
      if (node.nodeType !== 1) return;
      // The main menu is one element; all other labels are on everything below too.
      if (parent[i] >= 0) classes[parent[i]].forEach((name) => name !== LABELS.menu.class && classes[i].add(name));
      for (const name of given.get(node) ?? []) {
        classes[i].add(LABELS[name].class);
        // What the page is about and what readers wrote is of this page alone.
        if (name === 'content' || name === 'comments') classes[i].add(LABELS.specific.class);
      }
      if (classes[i].size === 0) return;
      const all = [...classes[i]].join(' ');
      const name = node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? node.localName : node.nodeName;
      const end = places[i] + 1 + name.length;
      const own = node.getAttribute('class');
      if (own === null) {
        pieces.push(html.slice(from, end), ` class="${all}"`);
        from = end;
      } else {
        const at = html.indexOf(' class="', end) + ' class="'.length;
        pieces.push(html.slice(from, at), own ? `${all} ` : all);
        from = at;
      }
    });
    return pieces.join('') + html.slice(from);
  }

  page.gold = { start, stop, labelled, clear: () => void (given = new Map()), count: () => given.size };
})();
