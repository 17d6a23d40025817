// The page as text, with the place of every node in it.
//
// The live document is written down as HTML, and of every element and text we remember where in that text it starts. The engine says for everything
// it labels where it stands in the text, so labels find their live nodes by identity. Nothing is counted: a parser that puts a misnested
// element elsewhere, adds a `tbody` or joins two texts does not shift anything. The page itself is only read.
//
// Written is what a reader can see or what describes the page: shadow trees are written where they are shown; `noscript` and `template` are kept empty,
// because a browser that runs scripts shows nothing of them.

(() => {
  const page = (globalThis.unchaffPage ??= {});
  if (page.capture) return;

  const VOID = new Set('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '));
  /** Text in these is written as it is. */
  const RAW = new Set('script style xmp iframe noembed noframes plaintext'.split(' '));
  /** Nothing of these is ever shown. */
  const UNSEEN = new Set('head script style template noscript noframes noembed datalist'.split(' '));
  /** Shown as a whole, whatever is in them. */
  const WHOLE = new Set('img picture video audio canvas svg iframe object embed input select textarea meter progress math hr'.split(' '));
  const BREAKS = new Set(['br', 'wbr', 'slot', 'area', 'source', 'track', 'link', 'meta']);
  const HTML = 'http://www.w3.org/1999/xhtml';

  /** No page is written down beyond this; messages between the parts of an extension have a limit too. */
  const MOST_CHARACTERS = 24_000_000;

  class TooLarge extends Error {}

  /**
   * @typedef {object} Capture
   * @property {string} html the page as text
   * @property {Node[]} nodes elements and texts, in the order of the text
   * @property {number[]} places where each starts in `html`; of a text, its first character that is no space
   * @property {Int32Array} parent the position of each one's parent in `nodes`, -1 at the top
   * @property {Int32Array} end the position after the last one below it
   * @property {Uint8Array} unit 1 for what is seen by itself: text, images and the like
   */

  /** The shadow tree of an element, where an extension may see it. */
  function shadowOf(element) {
    if (element.shadowRoot) return element.shadowRoot;
    if (!element.localName.includes('-')) return null;
    try {
      return element.openOrClosedShadowRoot ?? globalThis.chrome?.dom?.openOrClosedShadowRoot?.(element) ?? null;
    } catch {
      return null;
    }
  }

  /** What is shown in an element, in order. */
  function childrenOf(element, name, inShadow) {
    if (name === 'noscript' || name === 'template') return [];
    const shadow = shadowOf(element);
    if (shadow) return shadow.childNodes;
    if (inShadow && name === 'slot') {
      const assigned = element.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    return element.childNodes;
  }

  const escapeText = (text) => (/[&<>\u00a0]/.test(text) ? text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\u00a0/g, '&nbsp;') : text);
  const escapeValue = (text) => (/[&"\u00a0<>]/.test(text) ? text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/\u00a0/g, '&nbsp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : text);

  /** Attributes that this extension puts on the page; they are not the page's. */
  const OURS = 'data-unchaff-';

  function startTag(element, name) {
    let tag = `<${name}`;
    const { attributes } = element;
    for (let i = 0; i < attributes.length; i++) {
      const { name: key, value } = attributes[i];
      if (!key.startsWith(OURS)) tag += ` ${key}="${escapeValue(value)}"`;
    }
    return `${tag}>`;
  }

  function doctypeOf(node) {
    if (!node.publicId && !node.systemId) return `<!DOCTYPE ${node.name}>`;
    const ids = node.publicId ? ` PUBLIC "${node.publicId}"${node.systemId ? ` "${node.systemId}"` : ''}` : ` SYSTEM "${node.systemId}"`;
    return `<!DOCTYPE ${node.name}${ids}>`;
  }

  /**
   * Writes the document down. Never changes it, and never recurses.
   * @returns {Capture}
   */
  page.capture = () => {
    const parts = [];
    let length = 0;
    const nodes = [];
    const places = [];
    const parents = [];
    const ends = [];
    const units = [];
    const write = (text) => {
      parts.push(text);
      length += text.length;
      if (length > MOST_CHARACTERS) throw new TooLarge(`more than ${MOST_CHARACTERS} characters`);
    };
    const remember = (node, place, parent, unit) => {
      nodes.push(node);
      places.push(place);
      parents.push(parent);
      ends.push(nodes.length);
      units.push(unit ? 1 : 0);
      return nodes.length - 1;
    };

    // An open element: what is shown in it, how far we are, and how it is closed.
    const open = [{ children: document.childNodes, next: 0, at: -1, close: '', raw: false, unseen: false, inShadow: false }];
    while (open.length > 0) {
      const top = open[open.length - 1];
      if (top.next >= top.children.length) {
        open.pop();
        if (top.at >= 0) ends[top.at] = nodes.length;
        write(top.close);
        continue;
      }
      const node = top.children[top.next++];
      if (node.nodeType === 3 || node.nodeType === 4) {
        const text = node.data;
        // The parser takes a newline at the start of these away, so one more is needed to keep it.
        if (top.next === 1 && text.startsWith('\n') && /<\/(pre|listing|textarea)>/.test(top.close)) write('\n');
        const blank = text.length - text.trimStart().length;
        remember(node, length + blank, top.at, !top.unseen && blank < text.length);
        write(top.raw ? text : escapeText(text));
      } else if (node.nodeType === 8) {
        // A comment that would end early is no longer the page's comment.
        if (!/--!?>|^-?>/.test(node.data)) write(`<!--${node.data}-->`);
      } else if (node.nodeType === 10) {
        write(doctypeOf(node));
      } else if (node.nodeType === 1) {
        if (node.hasAttribute('data-unchaff-own')) continue;
        if (node.localName === 'unchaff-text') {
          // Around a text that is hidden or coloured at the moment; only the text is the page's.
          open.push({ ...top, children: node.childNodes, next: 0, close: '', at: top.at, borrowed: true });
          continue;
        }
        const isHtml = node.namespaceURI === HTML;
        const name = isHtml ? node.localName : node.nodeName;
        const unseen = top.unseen || (isHtml && UNSEEN.has(name));
        const whole = !unseen && !top.whole && (WHOLE.has(name) || (node.childNodes.length === 0 && !BREAKS.has(name) && !shadowOf(node)));
        const at = remember(node, length, top.at, whole && !top.whole);
        write(startTag(node, name));
        if (isHtml && VOID.has(name)) continue;
        const inShadow = top.inShadow || shadowOf(node) !== null;
        open.push({
          children: childrenOf(node, name, top.inShadow),
          next: 0,
          at,
          close: `</${name}>`,
          raw: isHtml && RAW.has(name),
          // Texts in an image with a description are not seen apart from it.
          unseen: unseen || whole,
          whole: top.whole || whole,
          inShadow,
        });
      }
    }
    return {
      html: parts.join(''),
      nodes,
      places,
      parent: Int32Array.from(parents),
      end: Int32Array.from(ends),
      unit: Uint8Array.from(units),
    };
  };

  page.TooLarge = TooLarge;
})();
