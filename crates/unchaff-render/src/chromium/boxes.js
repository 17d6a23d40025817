// Returns the boxes of the page as JSON: the elements that are rendered, their text lines and images, in document order.
// A box is [kind, left, top, right, bottom, parent, mark, copy, child, colour, background, font size, flags]; -1 is none.
(limit) => {
  const TEXT = 0, IMAGE = 1, OTHER = 2;
  const BOLD = 1, ITALIC = 2, DECORATED = 4, FIXED = 8, INLINE = 16, PICTURED = 32;
  const REPLACED = new Set(["IMG", "VIDEO", "AUDIO", "CANVAS", "IFRAME", "FRAME", "OBJECT", "EMBED", "INPUT", "SELECT",
    "TEXTAREA", "METER", "PROGRESS", "svg", "math"]);
  const EVERYWHERE = [-Infinity, -Infinity, Infinity, Infinity];
  const boxes = [];

  // A misnested formatting tag stands for several elements, which all carry its mark; they are told apart by their order.
  const copies = new Map(), seen = new Map();
  for (const element of document.querySelectorAll("[data-unchaff-node]")) {
    const mark = element.getAttribute("data-unchaff-node");
    const copy = seen.get(mark) || 0;
    seen.set(mark, copy + 1);
    if (copy > 0) copies.set(element, copy);
  }

  const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  const onPage = (r) => [r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY];
  const rounded = (r) => r.map((edge) => Math.max(-1e9, Math.min(1e9, Math.round(edge))));
  const number = (rgb) => (rgb[0] << 16) | (rgb[1] << 8) | rgb[2];

  // Red, green, blue from 0 to 255 and opacity from 0 to 1.
  const parse = (text) => {
    const parts = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
    if (parts.length < 3) return [0, 0, 0, 0];
    const scale = text.startsWith("color(") ? 255 : 1;
    const channel = (value) => Math.max(0, Math.min(255, Math.round(value * scale)));
    return [channel(parts[0]), channel(parts[1]), channel(parts[2]), parts.length > 3 ? parts[3] : 1];
  };
  const over = (top, bottom) => [0, 1, 2].map((i) => Math.round(top[i] * top[3] + bottom[i] * (1 - top[3])));

  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  // The mean colour of an image without its transparent pixels; none if it cannot be read.
  const mean = (element) => {
    try {
      const width = element.naturalWidth || element.videoWidth || element.width;
      const height = element.naturalHeight || element.videoHeight || element.height;
      if (!(width > 0 && height > 0)) return -1;
      canvas.width = Math.min(width, 64);
      canvas.height = Math.min(height, 64);
      context.clearRect(0, 0, canvas.width, canvas.height);
      const readable = globalThis.unchaffReadable instanceof Map ? globalThis.unchaffReadable.get(element) : null;
      context.drawImage(readable || element, 0, 0, canvas.width, canvas.height);
      const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
      let red = 0, green = 0, blue = 0, opaque = 0;
      for (let at = 0; at < pixels.length; at += 4) {
        const alpha = pixels[at + 3];
        red += pixels[at] * alpha;
        green += pixels[at + 1] * alpha;
        blue += pixels[at + 2] * alpha;
        opaque += alpha;
      }
      return opaque > 0 ? number([red, green, blue].map((sum) => Math.round(sum / opaque))) : -1;
    } catch {
      return -1;
    }
  };

  const range = document.createRange();
  const lines = (text) => {
    range.selectNodeContents(text);
    const found = [];
    for (const client of range.getClientRects()) {
      const rect = onPage(client);
      if (rect[2] <= rect[0] || rect[3] <= rect[1]) continue;
      const last = found[found.length - 1];
      if (last && Math.abs(last[1] - rect[1]) < 1 && Math.abs(last[3] - rect[3]) < 1 && rect[0] - last[2] < 1 && last[0] - rect[2] < 1) {
        last[0] = Math.min(last[0], rect[0]);
        last[2] = Math.max(last[2], rect[2]);
      } else {
        found.push(rect);
      }
    }
    return found;
  };

  const root = document.body || document.documentElement;
  const start = { clip: EVERYWHERE, held: EVERYWHERE, behind: [255, 255, 255], parent: -1, flags: 0 };
  const rootStyle = getComputedStyle(document.documentElement);
  start.behind = over(parse(rootStyle.backgroundColor), start.behind);
  // Nodes still to come, the next one last; `held` is what clips boxes that are positioned absolutely.
  const rest = [[root, start]];
  while (rest.length > 0 && boxes.length < limit) {
    const [node, above] = rest.pop();
    if (node.nodeType === Node.TEXT_NODE) {
      if (!above.visible || !/\S/.test(node.data)) continue;
      for (const line of lines(node)) {
        const rect = meet(line, above.clip);
        if (rect[2] > rect[0] && rect[3] > rect[1]) {
          boxes.push([TEXT, ...rounded(rect), above.parent, above.mark, above.copy, above.childOf(node), above.color, -1, above.size, above.flags]);
        }
      }
      continue;
    }
    const style = getComputedStyle(node);
    if (style.display === "none" || parseFloat(style.opacity) === 0) continue;
    const rect = onPage(node.getBoundingClientRect());
    const cut = style.clip && style.clip !== "auto" ? (style.clip.match(/-?[\d.]+/g) || []).map(Number) : [];
    if (cut.length === 4 && (cut[1] - cut[3] <= 1 || cut[2] - cut[0] <= 1)) continue;
    const below = { ...above };
    if (style.position === "fixed") below.clip = EVERYWHERE;
    else if (style.position === "absolute") below.clip = above.held;
    if (style.position === "fixed" || style.position === "sticky") below.flags |= FIXED;
    below.visible = style.visibility === "visible";
    const background = parse(style.backgroundColor);
    const painted = below.visible && (background[3] > 0 || style.backgroundImage !== "none") && node !== document.body;
    if (background[3] > 0) below.behind = over(background, above.behind);
    below.color = number(parse(style.color));
    below.size = Math.round(parseFloat(style.fontSize)) || 0;
    below.flags = (below.flags & (DECORATED | FIXED)) | (Number(style.fontWeight) >= 600 ? BOLD : 0)
      | (style.fontStyle !== "normal" ? ITALIC : 0) | (style.textDecorationLine !== "none" ? DECORATED : 0);
    const attribute = node.getAttribute("data-unchaff-node");
    below.mark = attribute === null ? -1 : Number(attribute);
    below.copy = copies.get(node) || 0;
    const replaced = REPLACED.has(node.tagName);
    if (style.display !== "contents") {
      const shown = replaced ? meet(rect, below.clip) : rect;
      const there = shown[2] > shown[0] && shown[3] > shown[1];
      if (replaced && !(there && below.visible)) continue;
      const flags = below.flags | (style.display === "inline" ? INLINE : 0)
        | (below.visible && style.backgroundImage.includes("url(") ? PICTURED : 0);
      const color = replaced ? mean(node) : below.color;
      boxes.push([replaced ? IMAGE : OTHER, ...rounded(shown), above.parent, below.mark, below.copy, -1, color,
        painted ? number(below.behind) : -1, below.size, flags]);
      if (replaced) continue;
      below.parent = boxes.length - 1;
      const hides = style.overflowX !== "visible" || style.overflowY !== "visible";
      if (hides && node !== root) below.clip = meet(below.clip, rect);
      if (style.position !== "static" || node === root) below.held = below.clip;
    }
    const children = node.childNodes;
    const places = new Map();
    for (let at = 0; at < children.length; at++) if (children[at].nodeType === Node.TEXT_NODE) places.set(children[at], at);
    below.childOf = (text) => places.get(text);
    for (let at = children.length - 1; at >= 0; at--) {
      const type = children[at].nodeType;
      if (type === Node.ELEMENT_NODE || type === Node.TEXT_NODE) rest.push([children[at], below]);
    }
  }
  const page = document.documentElement;
  const width = Math.max(page.scrollWidth, document.body ? document.body.scrollWidth : 0, innerWidth);
  const height = Math.max(page.scrollHeight, document.body ? document.body.scrollHeight : 0);
  return JSON.stringify({ width: Math.round(width), height: Math.round(height), boxes, cut: rest.length > 0 });
}
