// What is seen of the page: a block in its place, everything but the block, or several blocks in colours.
//
// Every unit of the page (a text, an image) has a class, a small number. Elements whose units are all of one class are marked as a whole, at the top;
// where classes meet, the walk goes on below. So few attributes are set, and ancestors of what is kept are never hidden.
// A text directly in such an element has no style of its own: if all texts of an element are to be hidden, the element is hidden
// and its children are shown again; otherwise the texts are wrapped. All of it is undone by `clear`.

(() => {
  const page = (globalThis.unchaffPage ??= {});
  if (page.view) return;

  const MARK = 'data-unchaff-view';
  const WRAPPER = 'unchaff-text';

  /** Live elements that carry our mark, and wrappers around texts. */
  let marked = [];
  let wrappers = [];
  /** Elements in which classes meet, and whether what is new in them is hidden. */
  let mixed = new WeakSet();
  let hidesNew = false;
  /** Shadow trees that have our style sheet. */
  let styled = [];

  /**
   * The class of every node of a capture: 1 in the block, 0 not.
   * @param {import('./capture.js').Capture} capture
   * @param {{range: [number, number], without?: [number, number][], again?: [number, number][]}[]} parts the block: where its parts stand in the text, what in them does not belong to it,
   *   and what in that does again
   * @returns {Uint8Array}
   */
  function membership(capture, parts) {
    const edges = [];
    for (const { range, without = [], again = [] } of parts) {
      for (const [start, end] of [range, ...again]) edges.push([start, end, 1]);
      for (const [start, end] of without) edges.push([start, end, 0]);
    }
    // The innermost range decides; of equal ones the exception.
    edges.sort((a, b) => a[0] - b[0] || b[1] - a[1] || b[2] - a[2]);
    const members = new Uint8Array(capture.nodes.length);
    const open = [];
    let edge = 0;
    for (let i = 0; i < members.length; i++) {
      const place = capture.places[i];
      while (edge < edges.length && edges[edge][0] <= place) open.push(edges[edge++]);
      while (open.length > 0 && open[open.length - 1][1] <= place) open.pop();
      // A range that ended may still lie below one that was opened later; it is passed over.
      let top = open.length - 1;
      while (top >= 0 && open[top][1] <= place) top--;
      members[i] = top >= 0 ? open[top][2] : 0;
    }
    return members;
  }

  /** The classes of units; one that is seen as a whole is of the block if anything in it is. */
  function unitClasses(capture, members) {
    const classes = Uint8Array.from(members);
    for (let i = 0; i < classes.length; i++) {
      if (!capture.unit[i]) continue;
      for (let below = i + 1; below < capture.end[i]; below++) classes[i] = Math.max(classes[i], members[below]);
    }
    return classes;
  }

  /**
   * How many units of each class are before each node, so that a subtree's are a difference.
   * @returns {Int32Array[]} by class
   */
  function counted(capture, classes, many) {
    const sums = Array.from({ length: many }, () => new Int32Array(classes.length + 1));
    for (let i = 0; i < classes.length; i++) {
      for (let c = 0; c < many; c++) sums[c][i + 1] = sums[c][i] + (capture.unit[i] && classes[i] === c ? 1 : 0);
    }
    return sums;
  }

  function mark(node, value) {
    node.setAttribute(MARK, value);
    marked.push(node);
    const root = node.getRootNode();
    if (root !== document && root.host && !styled.some((s) => s.root === root)) {
      const style = document.createElement('style');
      style.dataset.unchaffOwn = '';
      style.textContent = page.css ?? '';
      root.append(style);
      styled.push({ root, style });
    }
  }

  function wrap(text, value) {
    if (!text.parentNode) return;
    const wrapper = document.createElement(WRAPPER);
    text.replaceWith(wrapper);
    wrapper.append(text);
    wrapper.setAttribute(MARK, value);
    wrappers.push(wrapper);
  }

  /**
   * Marks what is of each class.
   * @param {Capture} capture
   * @param {Uint8Array} classes
   * @param {(string|null)[]} names the mark of each class; none for what is left as it is
   * @param {boolean} hides whether the mark 'out' is among them
   */
  function paint(capture, classes, names, hides) {
    const sums = counted(capture, classes, names.length);
    const { nodes, end, unit, parent } = capture;
    /** Elements hidden for their texts; their children must be shown again. */
    const shells = new Set();
    let i = 0;
    while (i < nodes.length) {
      const node = nodes[i];
      const present = [];
      for (let c = 0; c < names.length; c++) if (sums[c][end[i]] > sums[c][i]) present.push(c);
      if (present.length === 0) {
        i = end[i];
        continue;
      }
      if (node.nodeType !== 1) {
        const name = names[classes[i]];
        if (unit[i] && name && !shells.has(parent[i])) wrap(node, name);
        i++;
        continue;
      }
      const top = node.localName === 'html' || node.localName === 'body';
      if (present.length === 1 && !top) {
        const name = names[present[0]];
        if (name) mark(node, name);
        else if (shells.has(parent[i])) mark(node, 'in');
        i = end[i];
        continue;
      }
      mixed.add(node);
      if (hides && !top && textsAre(capture, classes, names, i, 'out')) {
        mark(node, 'shell');
        shells.add(i);
      } else if (shells.has(parent[i])) {
        mark(node, 'in');
      }
      i++;
    }
  }

  /** Whether an element has texts directly in it, and all are of one name. */
  function textsAre({ nodes, end, unit }, classes, names, element, name) {
    let any = false;
    for (let i = element + 1; i < end[element]; i = end[i]) {
      if (nodes[i].nodeType !== 1 && unit[i]) {
        any = true;
        if (names[classes[i]] !== name) return false;
      }
    }
    return any;
  }

  function clear() {
    for (const node of marked) node.removeAttribute(MARK);
    for (const wrapper of wrappers) {
      // The page may have taken it out, or put something in; what is in it stays.
      if (wrapper.parentNode) wrapper.replaceWith(...wrapper.childNodes);
    }
    for (const { style } of styled) style.remove();
    marked = [];
    wrappers = [];
    styled = [];
    mixed = new WeakSet();
    hidesNew = false;
  }

  page.view = {
    membership,
    clear,

    /** The block alone, in its place; with `complement`, everything else. */
    show(capture, members, complement) {
      clear();
      const classes = unitClasses(capture, members);
      paint(capture, classes, complement ? [null, 'out'] : ['out', null], true);
      hidesNew = !complement;
    },

    /** What the page has put in since: hidden if it stands beside the block, as long as nothing is known of it. */
    adopt(node) {
      if (!hidesNew || !node.isConnected || !mixed.has(node.parentNode)) return;
      if (node.nodeType === 1) mark(node, 'out');
      else if (node.nodeType === 3 && node.data.trim()) wrap(node, 'out');
    },

    /** Two blocks in colours. Returns how many characters are of which. */
    compare(capture, a, b) {
      clear();
      const ofA = unitClasses(capture, a);
      const ofB = unitClasses(capture, b);
      const classes = ofA.map((inA, i) => inA + 2 * ofB[i]);
      paint(capture, classes, [null, 'only-a', 'only-b', 'agree'], false);
      const characters = [0, 0, 0, 0];
      capture.nodes.forEach((node, i) => {
        if (capture.unit[i] && node.nodeType !== 1) characters[classes[i]] += node.data.trim().length;
      });
      return { neither: characters[0], onlyA: characters[1], onlyB: characters[2], agree: characters[3] };
    },

    /** Characters of the block and of the page, and the first element of it. */
    measure(capture, members) {
      const classes = unitClasses(capture, members);
      let inside = 0;
      let all = 0;
      let first = null;
      capture.nodes.forEach((node, i) => {
        if (!capture.unit[i]) return;
        const length = node.nodeType === 1 ? 0 : node.data.trim().length;
        all += length;
        if (!classes[i]) return;
        inside += length;
        if (!first && length > 0) first = node.parentElement;
      });
      return { inside, all, first };
    },

    /** Whether a node is hidden by us, and whether it is one of ours. */
    isOurs: (node) => node.nodeType === 1 && (node.localName === WRAPPER || node.dataset?.unchaffOwn !== undefined),
  };
})();
