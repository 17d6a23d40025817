// A page as a web archive (WARC 1.1, ISO 28500:2017), as replay tools, crawlers and the command read them.
//
// The page is a `resource`: the document as it stood in the browser, after scripts, and not what a server sent. What was found in it refers to it: the block as
// Markdown (`conversion`), and the whole record as JSON (`metadata`).

const encoder = new TextEncoder();

/** One record; a field without a value is left out. */
function recordOf(fields, body) {
  const all = { ...fields, 'Content-Length': encoder.encode(body).length };
  // A value that had a line break in it would be another field.
  const lines = Object.entries(all).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${String(value).replace(/[\r\n]+/g, ' ')}`);
  return `WARC/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}\r\n\r\n`;
}

/**
 * @param {{url: string, html: string, markdown: string, record: object, date?: Date, software?: string}} page
 * @returns {string} the archive, to be written as UTF-8
 */
export function warc({ url, html, markdown, record, date = new Date(), software = 'unchaff' }) {
  const target = url.replace(/#.*$/s, '');
  const when = `${date.toISOString().slice(0, 19)}Z`;
  const named = (type) => ({ 'WARC-Type': type, 'WARC-Record-ID': `<urn:uuid:${crypto.randomUUID()}>`, 'WARC-Date': when });
  const info = named('warcinfo');
  const page = { ...named('resource'), 'WARC-Warcinfo-ID': info['WARC-Record-ID'], 'WARC-Target-URI': target, 'Content-Type': 'text/html; charset=utf-8' };
  const about = (type, mime) => ({ ...named(type), 'WARC-Target-URI': target, 'WARC-Refers-To': page['WARC-Record-ID'], 'Content-Type': mime });
  return [
    recordOf({ ...info, 'Content-Type': 'application/warc-fields' }, `software: ${software}\r\nformat: WARC File Format 1.1\r\ndescription: the document as it stood in the browser, after scripts\r\n`),
    recordOf(page, html),
    recordOf(about('conversion', 'text/markdown; charset=utf-8'), markdown),
    recordOf(about('metadata', 'application/json'), JSON.stringify(record)),
  ].join('');
}
