// What the extension draws over a page: a notice, the reason for a label under the pointer, the outlines of segments.
//
// All of it is in one closed shadow tree, so that the page's style does not reach it and ours does not reach the page. It is
// styled by properties only, which no content security policy of a page forbids.

(() => {
  const page = (globalThis.unchaffPage ??= {});
  if (page.overlay) return;

  let host = null;
  let root = null;
  let notice = null;
  let tip = null;
  let segments = null;
  let ending = 0;

  const dark = () => matchMedia('(prefers-color-scheme: dark)').matches;

  function make(name, style, parent) {
    const element = document.createElement(name);
    for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value);
    parent?.append(element);
    return element;
  }

  function ground() {
    if (host?.isConnected) return root;
    host = document.createElement('div');
    host.dataset.unchaffOwn = '';
    for (const [property, value] of Object.entries({ all: 'initial', position: 'absolute', top: '0', left: '0', 'z-index': '2147483647', visibility: 'visible' })) {
      host.style.setProperty(property, value, 'important');
    }
    root = host.attachShadow({ mode: 'closed' });
    notice = tip = segments = null;
    document.documentElement.append(host);
    return root;
  }

  const card = () => ({
    position: 'fixed',
    'font': '14px/1.45 system-ui, sans-serif',
    'max-width': 'min(26rem, 80vw)',
    padding: '10px 14px',
    'border-radius': '8px',
    color: dark() ? '#f0f2f5' : '#1a1d21',
    background: dark() ? '#23272e' : '#ffffff',
    border: `1px solid ${dark() ? '#4a525e' : '#c6ccd4'}`,
    'box-shadow': '0 4px 18px rgb(0 0 0 / 25%)',
    direction: chrome.i18n.getMessage('@@bidi_dir') || 'ltr',
  });

  page.overlay = {
    /**
     * Says something in the corner of the page.
     * @param {string} text
     * @param {{lasting?: boolean, button?: {label: string, press: () => void}}} [how]
     */
    say(text, { lasting = false, button } = {}) {
      clearTimeout(ending);
      notice?.remove();
      notice = make('div', { ...card(), bottom: '16px', 'inset-inline-end': '16px', display: 'flex', gap: '12px', 'align-items': 'center' }, ground());
      notice.setAttribute('role', 'status');
      make('span', {}, notice).textContent = text;
      if (button) {
        const press = make('button', { font: 'inherit', padding: '4px 10px', cursor: 'pointer', flex: 'none' }, notice);
        press.textContent = button.label;
        press.addEventListener('click', button.press);
      }
      if (!lasting) ending = setTimeout(() => page.overlay.hush(), 7000);
    },

    hush() {
      clearTimeout(ending);
      notice?.remove();
      notice = null;
    },

    /** Lines of text beside the pointer. */
    explain(x, y, lines) {
      tip?.remove();
      tip = make('div', { ...card(), 'pointer-events': 'none', 'font-size': '13px', padding: '8px 10px' }, ground());
      lines.forEach((line, i) => (make('div', { 'font-weight': i === 0 ? '600' : '400' }, tip).textContent = line));
      const { width, height } = tip.getBoundingClientRect();
      tip.style.setProperty('left', `${Math.max(4, Math.min(x + 14, innerWidth - width - 4))}px`);
      tip.style.setProperty('top', `${y + 18 + height > innerHeight ? Math.max(4, y - height - 10) : y + 18}px`);
    },

    quiet() {
      tip?.remove();
      tip = null;
    },

    /**
     * Outlines over the page.
     * @param {{rect: [number, number, number, number], label: string, hue?: number}[]} boxes in pixels of the page
     */
    outline(boxes) {
      page.overlay.unoutline();
      segments = make('div', { position: 'absolute', top: '0', left: '0', 'pointer-events': 'none' }, ground());
      const hues = [212, 28, 140, 280, 350, 180, 60, 320];
      boxes.forEach(({ rect: [left, top, right, bottom], label, hue: given }, i) => {
        const hue = given ?? hues[i % hues.length];
        const box = make('div', {
          position: 'absolute',
          'box-sizing': 'border-box',
          left: `${left}px`,
          top: `${top}px`,
          width: `${right - left}px`,
          height: `${bottom - top}px`,
          border: `2px solid hsl(${hue} 75% 42%)`,
          background: `hsl(${hue} 80% 55% / 8%)`,
          'border-radius': '3px',
        }, segments);
        const name = make('span', {
          position: 'absolute',
          top: '0',
          'inset-inline-end': '0',
          font: '600 11px/1.5 system-ui, sans-serif',
          padding: '0 6px',
          color: '#fff',
          background: `hsl(${hue} 75% 34%)`,
          'border-end-start-radius': '4px',
        }, box);
        name.textContent = label;
      });
    },

    unoutline() {
      segments?.remove();
      segments = null;
    },
  };
})();
