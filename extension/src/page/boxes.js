// The boxes of the page as the browser has laid it out, for techniques that look at what is seen: rectangles of text lines, images and elements, their
// colours and type, in the form of docs/segmentation.md.
//
// What unchaff-render asks Chromium for, measured on the page in front of the user. A box names its element by a mark (`mark`), which is an attribute in a
// copy of the captured text and nowhere in the page, and a text by its place among those of its element. Boxes that cannot be seen are left out.

(() => {
  const page = (globalThis.unchaffPage ??= {});
  if (page.boxes) return;

  /** No more boxes are measured. */
  const MOST_BOXES = 60_000;
  const EVERYWHERE = [-Infinity, -Infinity, Infinity, Infinity];
  const REPLACED = new Set('img video audio canvas iframe frame object embed input select textarea meter progress svg math'.split(' '));

  const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  const isEmpty = (rect) => rect[2] <= rect[0] || rect[3] <= rect[1];
  const onPage = (rect) => [rect.left + scrollX, rect.top + scrollY, rect.right + scrollX, rect.bottom + scrollY];
  const rounded = (rect) => rect.map((edge) => Math.max(-1e9, Math.min(1e9, Math.round(edge))));

  /** Red, green, blue from 0 to 255, opacity from 0 to 1. */
  function colourOf(text) {
    const parts = (text.match(/-?[\d.]+(e-?\d+)?/g) ?? []).map(Number);
    if (parts.length < 3) return [0, 0, 0, 0];
    const scale = text.startsWith('color(') ? 255 : 1;
    const channel = (value) => Math.max(0, Math.min(255, Math.round(value * scale)));
    return [...parts.slice(0, 3).map(channel), parts.length > 3 ? parts[3] : 1];
  }
  const over = (top, bottom) => [0, 1, 2].map((i) => Math.round(top[i] * top[3] + bottom[i] * (1 - top[3])));
  const hex = (rgb) => `#${rgb.slice(0, 3).map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

  const canvas = document.createElement('canvas');
  /** The mean colour of an image; none if the page may not read it. */
  function meanColour(element) {
    try {
      if (!(element instanceof HTMLImageElement) || !element.naturalWidth) return undefined;
      canvas.width = canvas.height = 1;
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context.drawImage(element, 0, 0, 1, 1);
      const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
      return alpha > 0 ? hex([red, green, blue]) : undefined;
    } catch {
      return undefined;
    }
  }

  /** The lines of a text, each a rectangle. */
  function linesOf(text, range) {
    range.selectNodeContents(text);
    const lines = [];
    for (const client of range.getClientRects()) {
      const rect = onPage(client);
      if (isEmpty(rect)) continue;
      const last = lines.at(-1);
      const joins = last && Math.abs(last[1] - rect[1]) < 1 && Math.abs(last[3] - rect[3]) < 1 && rect[0] - last[2] < 1 && last[0] - rect[2] < 1;
      if (joins) {
        last[0] = Math.min(last[0], rect[0]);
        last[2] = Math.max(last[2], rect[2]);
      } else {
        lines.push(rect);
      }
    }
    return lines;
  }

  const MARK = 'data-unchaff-n';

  /** The text of a capture in which every element says its number. */
  function marked({ html, nodes, places }) {
    const pieces = [];
    let from = 0;
    nodes.forEach((node, i) => {
      if (node.nodeType !== 1) return;
      const after = places[i] + 1 + (node.namespaceURI === 'http://www.w3.org/1999/xhtml' ? node.localName : node.nodeName).length;
      pieces.push(html.slice(from, after), ` ${MARK}="${i}"`);
      from = after;
    });
    return pieces.join('') + html.slice(from);
  }

  /** The place of each text among those of its element, as a parser has them: texts beside each other are one. */
  function textPlaces({ nodes, parent }) {
    const places = new Int32Array(nodes.length).fill(-1);
    const last = new Map();
    nodes.forEach((node, i) => {
      if (node.nodeType === 1) return;
      const before = last.get(parent[i]);
      const joins = before !== undefined && nodes[before].nextSibling === node;
      places[i] = before === undefined ? 0 : places[before] + (joins ? 0 : 1);
      last.set(parent[i], i);
    });
    return places;
  }

  /**
   * @param {import('./capture.js').Capture} capture
   * @returns {{html: string, mark: string, layout: {width: number, height: number, boxes: object[]}}}
   */
  page.boxes = (capture) => ({ html: marked(capture), mark: MARK, layout: measured(capture) });

  function measured(capture) {
    const { nodes, parent, end } = capture;
    const texts = textPlaces(capture);
    const boxes = [];
    const range = document.createRange();
    const body = nodes.findIndex((node) => node === document.body);
    if (body < 0) return { width: innerWidth, height: innerHeight, boxes };
    const white = [255, 255, 255];
    const root = { clip: EVERYWHERE, held: EVERYWHERE, behind: over(colourOf(getComputedStyle(document.documentElement).backgroundColor), white), box: undefined, decorated: false, fixed: false };
    /** What holds below each element. */
    const inside = new Map();
    let i = body;
    while (i < end[body] && boxes.length < MOST_BOXES) {
      const node = nodes[i];
      const above = i === body ? root : (inside.get(parent[i]) ?? root);
      if (node.nodeType !== 1) {
        if (above.visible && node.data.trim()) {
          for (const line of linesOf(node, range)) {
            const rect = meet(line, above.clip);
            if (!isEmpty(rect)) boxes.push({ rect: rounded(rect), kind: 'text', parent: above.box, mark: parent[i], text: texts[i], color: above.color, ...above.type });
          }
        }
        i++;
        continue;
      }
      const style = getComputedStyle(node);
      const cut = style.clip && style.clip !== 'auto' ? (style.clip.match(/-?[\d.]+/g) ?? []).map(Number) : [];
      const cutAway = cut.length === 4 && (cut[1] - cut[3] <= 1 || cut[2] - cut[0] <= 1);
      if (style.display === 'none' || Number.parseFloat(style.opacity) === 0 || cutAway) {
        i = end[i];
        continue;
      }
      const below = { ...above };
      if (style.position === 'fixed') below.clip = EVERYWHERE;
      else if (style.position === 'absolute') below.clip = above.held;
      below.fixed = above.fixed || style.position === 'fixed' || style.position === 'sticky';
      below.decorated = above.decorated || style.textDecorationLine !== 'none';
      below.visible = style.visibility === 'visible';
      const ground = colourOf(style.backgroundColor);
      const painted = below.visible && (ground[3] > 0 || style.backgroundImage !== 'none') && i !== body;
      if (ground[3] > 0) below.behind = over(ground, above.behind);
      below.color = hex(colourOf(style.color));
      const given = { bold: Number(style.fontWeight) >= 600, italic: style.fontStyle !== 'normal', decorated: below.decorated, fixed: below.fixed };
      below.type = { font_size: Math.round(Number.parseFloat(style.fontSize)) || 0 };
      for (const [name, is] of Object.entries(given)) if (is) below.type[name] = true;
      if (style.display !== 'contents') {
        const rect = onPage(node.getBoundingClientRect());
        const replaced = REPLACED.has(node.localName);
        const shown = replaced ? meet(rect, below.clip) : rect;
        if (replaced && (isEmpty(shown) || !below.visible)) {
          i = end[i];
          continue;
        }
        const box = { rect: rounded(shown), kind: replaced ? 'image' : 'other', parent: above.box, mark: i, color: replaced ? meanColour(node) : below.color, ...below.type };
        if (painted) box.background = hex(below.behind);
        if (style.display === 'inline') box.inline = true;
        boxes.push(box);
        if (replaced) {
          i = end[i];
          continue;
        }
        below.box = boxes.length - 1;
        const hides = style.overflowX !== 'visible' || style.overflowY !== 'visible';
        if (hides && i !== body) below.clip = meet(below.clip, rect);
        if (style.position !== 'static' || i === body) below.held = below.clip;
      }
      inside.set(i, below);
      i++;
    }
    const top = document.documentElement;
    const width = Math.max(top.scrollWidth, document.body.scrollWidth, innerWidth);
    const height = Math.max(top.scrollHeight, document.body.scrollHeight);
    return { width: Math.round(width), height: Math.round(height), boxes };
  }
})();
