// The npm package: what is in it, that it works where there is nothing else, and that its types say what it does.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "unchaff-package-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (program, options, cwd = folder) => execFileSync(program, options, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", folder], join(here, "package")));
writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", join(folder, packed.filename)]);

test("the package has what it needs and nothing else", () => {
  const files = packed.files.map(({ path }) => path).sort();
  assert.deepEqual(files, ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "engine.js", "index.d.ts", "index.js", "package.json", "unchaff.wasm"]);
  const { version, dependencies } = JSON.parse(readFileSync(join(here, "package", "package.json"), "utf8"));
  assert.equal(dependencies, undefined);
  assert.match(readFileSync(join(here, "..", "Cargo.toml"), "utf8"), new RegExp(`\\[workspace.package\\]\\nversion = "${version}"`));
});

test("the module is no more than 1.2 MB to download", () => {
  const module = readFileSync(join(here, "package", "unchaff.wasm"));
  assert.ok(gzipSync(module, { level: 9 }).length <= 1_200_000, `${module.length}, ${gzipSync(module, { level: 9 }).length} gzipped`);
});

test("it works from the packed file in a fresh folder", () => {
  writeFileSync(
    join(folder, "use.js"),
    `import { load, Unchaff, SiteModel, UnchaffError } from "unchaff";
     const unchaff = await load();
     const page = (text) => "<nav><a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></nav><p>" + text + "</p>";
     const pages = ["It rained all day.", "Then the sun came out.", "Snow fell."].map((text, at) => ({ url: "https://example.org/" + at, html: page(text) }));
     const site = unchaff.learn(pages);
     console.log(site.extract(pages[0].html, { url: pages[0].url }).text.trim(), unchaff instanceof Unchaff, site instanceof SiteModel);
     try { unchaff.extract(1) } catch (error) { console.log(error instanceof UnchaffError) }`,
  );
  assert.equal(run("node", ["use.js"]), "It rained all day. true true\ntrue\n");
  assert.ok(statSync(join(folder, "node_modules", "unchaff", "unchaff.wasm")).size > 0);
});

// What is right compiles, and each line below "wrong" is an error.
const uses = `
import { load, UnchaffError, type Detection, type Extraction, type SiteModel, type Unchaff } from "unchaff";

const unchaff: Unchaff = await load(undefined, { mostMemory: 2 ** 28 });
const found: Extraction = unchaff.extract("<p>", { url: new URL("https://example.org/"), favor: "recall", include: "tables", exclude: ["links"], settings: { favor: "recall", n: 3 } });
const title: string | undefined = found.metadata.title?.value;
const html: string = found.html;
const site: SiteModel = unchaff.learn([{ url: "https://example.org/", html: new Uint8Array() }]);
const labels: Detection = site.detect("<p>", { kind: "template", explain: true, mark: "id" });
for (const { element, range: [start, end], without } of labels.nodes) console.log(element + start + end, without?.[0]?.element);
const bytes: Uint8Array = site.toBytes();
unchaff.SiteModel.fromBytes(bytes).merge(site);
const shares: number = unchaff.cluster([{ html: "" }], { k: 1 }).clusters[0].spread;
const kinds = unchaff.segment({ width: 1, height: 1, boxes: [{ rect: [0, 0, 1, 1], kind: "text", mark: 3, text: 0 }] }, { html: "", mark: "id" }).segments.map(({ kind }) => kind);
const defaults = unchaff.techniques().filter((technique) => technique.level === "site" && technique.default).map(({ parameters }) => parameters[0]?.takes);
try { unchaff.extract("") } catch (error) { if (error instanceof UnchaffError && error.code === "memory") console.log(title, html, shares, kinds, defaults) }
for (const source of [new URL("https://example.org/"), "x", new Response(), new ArrayBuffer(1), new Uint8Array(1)]) void load(source);
// wrong
// @ts-expect-error
unchaff.extract(3);
// @ts-expect-error
unchaff.extract("", { tecnique: "auto" });
// @ts-expect-error
unchaff.detect("", { kind: "footer" });
// @ts-expect-error
site.extract("", { site });
// @ts-expect-error
found.markdown = 3;
// @ts-expect-error
unchaff.learn(["<p>"]);
`;

for (const [name, lib] of [["browsers", ["ES2022", "DOM", "DOM.Iterable"]], ["Node", undefined]]) {
  test(`types, in ${name}`, () => {
    const project = join(folder, name);
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "use.ts"), uses);
    const types = lib ? { lib, types: [] } : { lib: ["ES2023"], types: ["node"], typeRoots: [join(here, "node_modules", "@types")] };
    const compilerOptions = { ...types, target: "ES2022", module: "NodeNext", moduleResolution: "NodeNext", strict: true, noEmit: true, skipLibCheck: false };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
    const { stdout } = spawnSync("node", [join(here, "node_modules", "typescript", "bin", "tsc"), "-p", project], { encoding: "utf8" });
    assert.equal(stdout, "");
  });
}
