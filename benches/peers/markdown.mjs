// Extractors written in JavaScript, asked for Markdown over a socket as peers.py is: the name of one on the first line, then a page.
//
//     node markdown.mjs SOCKET FOLDER      FOLDER has the packages of package.json
//
// readability is Mozilla's Readability with turndown, defuddle writes Markdown itself, turndown takes HTML that another extractor has cleaned.
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [socket, folder] = process.argv.slice(2);
const require = createRequire(path.resolve(folder, "package.json"));
const load = async (file) => import(pathToFileURL(path.resolve(folder, "node_modules", file)));
const { JSDOM, VirtualConsole } = require("jsdom");
const { Readability } = require("@mozilla/readability");
const Turndown = require("turndown");
const { gfm } = require("turndown-plugin-gfm");
const { Defuddle } = await load("defuddle/dist/node.js");
// Defuddle's own way to read a page; on the trees of jsdom it takes minutes for some.
const { parseLinkedomHTML } = await load("defuddle/dist/utils/linkedom-compat.js");
const sniff = require("html-encoding-sniffer");

const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
turndown.use(gfm);
// Addresses of a page that does not say where it is from stay as they are written.
const nowhere = "https://page.invalid/";
const parse = (bytes) => new JSDOM(bytes, { url: nowhere, virtualConsole: new VirtualConsole() });
const relative = (markdown) => markdown.replaceAll(nowhere, "");

const peers = {
  readability(page) {
    const dom = parse(page);
    const article = new Readability(dom.window.document).parse();
    dom.window.close();
    return article ? `# ${article.title}\n\n${relative(turndown.turndown(article.content))}` : "";
  },
  async defuddle(page) {
    const text = new TextDecoder(sniff(page, { defaultEncoding: "windows-1252" })).decode(page);
    const found = await Defuddle(parseLinkedomHTML(text, nowhere), nowhere, { markdown: true, useAsync: false });
    return `# ${found.title}\n\n${relative(found.content)}`;
  },
  turndown: (page) => turndown.turndown(page.toString()),
};

// Packages that print what they find odd must not stop the server or mix with its answers.
console.log = console.warn = console.error = () => {};

net
  .createServer({ allowHalfOpen: true }, (connection) => {
    const pieces = [];
    connection.on("data", (piece) => pieces.push(piece));
    connection.on("error", () => {});
    connection.on("end", async () => {
      const question = Buffer.concat(pieces);
      const line = question.indexOf("\n");
      try {
        connection.end(await peers[question.subarray(0, line).toString()](question.subarray(line + 1)));
      } catch (error) {
        process.stderr.write(`${question.subarray(0, line)}: ${error}\n`);
        connection.end();
      }
    });
  })
  .listen(socket, () => process.stdout.write("ready\n"));
