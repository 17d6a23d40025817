// Mozilla's lint of the package for Firefox: nothing to complain of.
// One warning is known: the engine's package can read its module from a file under Node, by an import that never runs in a browser.

import { execFileSync } from 'node:child_process';

const args = ['web-ext', 'lint', '--source-dir', 'build/firefox', '--output', 'json', '--no-config-discovery'];
let output;
try {
  output = execFileSync('npx', args, { maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'inherit'] });
} catch (error) {
  output = error.stdout;
}
const { errors, warnings } = JSON.parse(output.toString());
const isKnown = ({ code, file, message }) => code === 'UNSAFE_VAR_ASSIGNMENT' && file === 'unchaff/engine.js' && /import/.test(message);
const complaints = [...errors, ...warnings.filter((warning) => !isKnown(warning))];
for (const { file, line, code, message } of complaints) console.error(`${file ?? 'package'}:${line ?? ''} ${code}: ${message}`);
if (complaints.length > 0) process.exit(1);
console.log('web-ext lint: no complaints');
