// A site of the suite on this machine: a server on a port of its own, so that links from the root and the host are as on the web.

import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Serves what `answer` makes of a path: `{type, body, headers}`, or nothing for 404. Counts what is asked for. */
export async function serve(answer) {
  const asked = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url);
    asked.push({ path, headers: request.headers });
    const found = answer(path, request);
    if (!found) {
      response.writeHead(404, { 'Content-Type': 'text/html' });
      response.end('<title>gone</title>');
      return;
    }
    const send = () => {
      response.writeHead(found.status ?? 200, { 'Content-Type': found.type ?? 'text/html', ...found.headers });
      response.end(found.body ?? '');
    };
    if (found.after) setTimeout(send, found.after);
    else send();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A site of the suite, with its absolute links leading to this machine. */
export async function serveSite(id) {
  const folder = join(root, 'suite', 'sites', id);
  const about = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8'));
  const bases = about.base_urls ?? [about.base_url];
  let origin = '';
  const server = await serve((path) => {
    if (path.split('/').includes('..')) return null;
    let file = join(folder, 'pages', path);
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (!existsSync(file)) return null;
    let body = readFileSync(file);
    if (/\.html?$/.test(file)) {
      let text = body.toString('latin1');
      for (const base of bases) text = text.replaceAll(base, `${origin}/`);
      body = Buffer.from(text, 'latin1');
      return { body };
    }
    return { body, type: /\.css$/.test(file) ? 'text/css' : /\.svg$/.test(file) ? 'image/svg+xml' : 'application/octet-stream' };
  });
  origin = server.origin;
  return { ...server, about, key: `${origin}/${encodeURI(about.key_page ?? about.key)}` };
}
