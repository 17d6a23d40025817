// The native command's answer about a page, to compare with.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './site_server.mjs';

/** The native command. */
export const command = process.env.UNCHAFF ?? ['release', 'debug'].map((profile) => join(root, 'target', profile, 'unchaff')).find(existsSync);
if (!command) throw new Error('the native command is not built: cargo build -p unchaff-cli, or name it in UNCHAFF');

const SUBCOMMAND = { content: 'extract', template: 'template', menu: 'menu', comments: 'extract', ads: 'extract' };

/** The page as text with every node of a block marked, as the command writes it. */
export function annotated(html, { url, kind, technique }) {
  const folder = mkdtempSync(join(tmpdir(), 'unchaff-native-'));
  try {
    writeFileSync(join(folder, 'page.html'), html);
    const technical = technique ? ['--technique', technique] : [];
    const args = [SUBCOMMAND[kind], join(folder, 'page.html'), '--format', 'annotated', '--url', url, '--charset', 'utf-8', ...technical];
    // The mark that says it is UTF-8 would be text of the page for a parser that is given text.
    return execFileSync(command, args, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).toString().replace(/^\ufeff/, '');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs in a browser: which texts of an annotated page are of a block, in order. */
export const labelledTexts = (page, html, kind) =>
  page.evaluate(
    (html, kind) => {
      const parsed = new DOMParser().parseFromString(html, 'text/html');
      const walker = parsed.createTreeWalker(parsed.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) {
        const node = walker.currentNode;
        const parent = node.parentElement;
        if (!node.data.trim() || parent.closest('script, style, noscript, template, svg, select, textarea, object, iframe')) continue;
        const texts = (parent.dataset.unchaffText ?? '').split(';').find((list) => list.startsWith(`${kind}:`));
        const place = [...parent.childNodes].filter((child) => child.nodeType === 3).indexOf(node);
        const alone = texts?.split(':')[1].split(',').map(Number).includes(place) ?? false;
        found.push({ text: node.data.trim(), labelled: alone || (parent.dataset.unchaff ?? '').split(' ').includes(kind) });
      }
      return found;
    },
    html,
    kind,
  );
