// Makes the extension: a folder to load and a zip for each store, from src/ and the WebAssembly package.
//
//   node build.mjs [--test]        with --test: pages on this machine are allowed from the start, because a test cannot answer the browser's question
//
// UNCHAFF_PACKAGE names the folder of the package if it is not web/package.
//
// The same sources give the same zips, byte by byte: files in order, stored with one date, attributes left out.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const engine = process.env.UNCHAFF_PACKAGE ?? join(here, '..', 'web', 'package');
const ENGINE_FILES = ['index.js', 'engine.js', 'unchaff.wasm'];

const variants = {
  chromium: (manifest) => ({
    ...manifest,
    minimum_chrome_version: '120',
    background: { service_worker: 'background.js', type: 'module' },
  }),
  firefox: (manifest) => ({
    ...manifest,
    background: { scripts: ['background.js'], type: 'module' },
    browser_specific_settings: {
      gecko: { id: 'extension@unchaff.invalid', strict_min_version: '128.0', data_collection_permissions: { required: ['none'] } },
    },
  }),
};

function files(folder) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.split(sep).join('/'))
    .sort();
}

/** A zip of a folder that depends on its files alone. */
function zip(folder) {
  const local = [];
  const central = [];
  let offset = 0;
  for (const name of files(folder)) {
    const data = readFileSync(join(folder, name));
    const packed = deflateRawSync(data, { level: 9 });
    const nameBytes = Buffer.from(name);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0); // version needed
    head.writeUInt16LE(0x0800, 2); // names are UTF-8
    head.writeUInt16LE(8, 4); // deflate
    head.writeUInt16LE(0, 6); // midnight
    head.writeUInt16LE(0x21, 8); // of 1980-01-01, the first day that a zip can name
    head.writeUInt32LE(crc32(data), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt16LE(nameBytes.length, 22);
    local.push(Buffer.from('PK\x03\x04'), head, nameBytes, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), head, tail, nameBytes);
    offset += 4 + head.length + nameBytes.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  const many = central.length / 4;
  end.writeUInt16LE(many, 4);
  end.writeUInt16LE(many, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end]);
}

const forTests = process.argv.includes('--test');
const missing = ENGINE_FILES.filter((name) => !existsSync(join(engine, name)));
if (missing.length > 0) {
  console.error(`${missing.join(' and ')} of the WebAssembly package is not built yet: run web/build first`);
  process.exit(1);
}
const base = JSON.parse(readFileSync(join(here, 'manifest.json'), 'utf8'));
for (const [browser, variant] of Object.entries(variants)) {
  const folder = join(here, 'build', forTests ? `${browser}-test` : browser);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(here, 'src'), folder, { recursive: true });
  mkdirSync(join(folder, 'unchaff'));
  for (const name of ENGINE_FILES) cpSync(join(engine, name), join(folder, 'unchaff', name));
  const manifest = variant(base);
  if (forTests) {
    manifest.host_permissions = ['http://127.0.0.1/*'];
    // In Firefox a test cannot open the extension's pages, so a page of the test can speak to the background.
    if (browser === 'firefox') manifest.content_scripts = [{ matches: ['http://127.0.0.1/*'], js: ['bridge.js'] }];
    if (browser === 'firefox') cpSync(join(here, 'tests', 'bridge.js'), join(folder, 'bridge.js'));
  }
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (forTests) continue;
  const packed = zip(folder);
  const name = `unchaff-${browser}-${base.version}.zip`;
  writeFileSync(join(here, 'build', name), packed);
  console.log(`${relative(process.cwd(), join(here, 'build', name))}  ${packed.length} bytes  sha256 ${createHash('sha256').update(packed).digest('hex')}`);
}
