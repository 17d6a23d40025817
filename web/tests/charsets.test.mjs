// Charsets and names of hosts, which the module has in smaller forms than the command (../charsets, ../domains): the answers are the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../package/index.js";
import { native, nativeLines, scratchFile } from "./pages_of_ours.mjs";

const unchaff = await load();

/** Sentences of our own, each in a charset. */
const sentences = [
  ["gb18030", "1/LM7M/CzuejrM28yum53cPFv9rFxcbwwcuzpLbTo6zS8s6q0MLAtLXEudzA7dSxsNG96Mrp1qS1xNHVyavIq7a8u7uzycHLwLbJq6Gj"],
  ["GBK", "wM/N9cO/zOzU58nPwfm148bwtLKjrM/Itb2607HfyaKyvaOsyLu688ilytCzocLytrm4r7rNx+Cyy6Osu9jAtLj4y+/X09f21Oe3uaGj"],
  ["Big5", "pHOkV6q6pHC+x6V1prOkUaRHrdO+x6XNoUGm0a52qEOsULTBsWGlTK3MqOy3y8Pkxlu57rO9qU2rQ7XsoUGmXqjTpkG1Zaaouc+1ZaFD"],
  ["Shift_JIS", "iXeRT4LMg3CDk4mugs2SqYLMjrWOnoLJikqCq4LcgreBQo/EgquCvYLEgsyDcIOTgsyT9YKigqqCt4LpgsaBQYyiguCRq4Lwjn6C34LEgrWC3IKigtyCt4FC"],
  ["EUC-JP", "wcTK7KTPy+jHr6TOvdWky8TtpM7H36TOvMKk8r24pOGkxqGiwuekraTKydOky8TSpLGk3qS5oaOyxqTLpMqk66TIoaKyyMKypN+k86TKpMew+6TfpN6kuaGj"],
  ["ISO-2022-JP", "GyRCMSskTkZ8JEskTyEiOEUkJEtcJHJGSSRfJEokLCRpISJBayROMzAkTjI7JHJKOSQvJE4kLDklJC0kRyQ5ISMbKEI="],
  ["EUC-KR", "vu7BpiDA+rPhv6Egtb+z1yC1tbytsPy/obytIMDbwLogwL2+x8i4sKEgv623yL3AtM+02S4guvGwoSC/1MH2uLgguLnAuiC757b3tenAzCC48L+0vcC0z7TZLg=="],
  ["windows-1250", "UPjtbGmaIG1ub2hvIGxpZO0g6GVrYWxvIHLhbm8gbmEgenBvnmTsbv0gdmxhaywgYSB0YWsgc2kgcGFu7SB16Gl0ZWxrYSBzZWRsYSBuYSBrdWZyIGEg6GV0bGEgnuFr+W0u"],
  ["ISO-8859-2", "V2N6b3JhaiBwbyBwb7N1ZG5pdSBsaXN0b25vc3ogemd1YmmzIGtsdWN6ZSwgd2nqYyB3c3p5c2N5IHOxc2llZHppIHBvbWFnYWxpIG11IHN6dWth5iBpY2ggcG9kILZuaWVnaWVtLg=="],
  ["windows-1251", "wvfl8OAg4uX35fDu7CDv7vfy4Ov87u0g7+7y5fD/6yDq6/736Cwg6CDx7vHl5Ogg5O4g8uXs7e7y+yDo8erg6+gg6PUg7+7kIPHt5ePu7CDi7ufr5SDx8uDw7ukg7OXr/O3o9vsu"],
  ["KOI8-R", "7c/RIMLBwtXby8Egy8HWxM/FINXU0s8gy8/SzcnUINfP0s/C2KPXIMvSz9vLwc3JLCDBINDP1M/NIMTPzMfPINLB09PLwdrZ18HF1CDJzSDQz9PMxcTOycUgzs/Xz9PUyS4="],
  ["KOI8-U", "/c/Swc7L1SDEpsTV09ggp9rEydTYIMTPIMym09UsINrCydLBpCDH0snCySDKINDP18XS1MGk1NjT0SDB1iDV18XexdKmLCDCzyCt0tXO1M/XpiDEz9LPx8kg0s/azc/LzMksIKenIMPFIMTJ19WkLg=="],
  ["windows-1252", "TGUgYm91bGFuZ2VyIGEg6XTpIHRy6HMg6XRvbm7pIDogbGEgZmVu6nRyZSBkZSBskuljb2xlIOl0YWl0IG91dmVydGUsIGV0IHVuIGdhcudvbiB5IG1hbmdlYWl0IHVuZSBjcupwZS4="],
  ["windows-1253", "zyD04ff15PH87O/yIN334fPlIPfo5fIg9OEg6uvl6eTp3CD07/Ug6uHpIO/pIOPl3/Tv7eXyIN344fft4e0g7N338ekg9O8g4vHc5PUg6tz0+SDh8Pwg9O8g9+n87eku"],
  ["windows-1255", "5OPl5fgg4Onh4yDg+u7l7CDg+iDk7vT65+X6IPns5Swg5evsIOT56/Dp7SDy5vjlIOzlIOzn9Pkg4OX67SDy4yDk8vjhIOzp4yDk4eD4IOTp+fDkLg=="],
  ["windows-1256", "3d7PINPH2u0gx+HI0e3PIOPdx8rtzeUgw+PToSDd08faz+Ug3+Egx+HM7dHH5CDd7SDH4cjNyyDa5OXHIM3K7CDH4ePTx8Eg3tHIIMfhyMbRIMfh3s/t48ku"],
  ["UTF-8", "zpbPic6uLCDQttC40LfQvdGMLCDFvml2b3QsIOeUn+a0uyDigJMgamVkZSBTcHJhY2hlIGhhdCBkYWbDvHIgZWluIGVpZ2VuZXMgV29ydC4="],
].map(([charset, base64]) => [charset, Buffer.from(base64, "base64")]);

const others = ["ibm866", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15"];
const rare = ["iso-8859-16", "macintosh", "windows-874", "windows-1254", "windows-1257", "windows-1258", "x-mac-cyrillic", "x-user-defined", "utf-16le", "utf-16be", "iso-2022-kr", "hz-gb-2312"];
const charsets = [...new Set([...sentences.map(([charset]) => charset), ...others, ...rare])];

const page = (head, ...parts) => Buffer.concat([Buffer.from(`<html><head>${head}</head><body><article><h1>Rain</h1><p>`), ...parts, Buffer.from("</p></article></body></html>")]);

let files = 0;
/** The same of the module as of the command, page by page. */
function same(pages, charset) {
  const written = pages.map(({ html, url = "https://example.org/rain" }) => ({ html, url, file: scratchFile(`${(files += 1)}.html`, html) }));
  const expected = charset ? written.map(({ file, url }) => native("extract", file, "--url", url, "--charset", charset, "--format", "json").trimEnd().replace(/"input":"(?:[^"\\]|\\.)*",/, "")) : nativeLines(written, "extract");
  written.forEach(({ html, url }, at) => assert.equal(unchaff.extractJson(html, { url, charset }), expected[at], `${charset ?? ""} ${html.toString("latin1").slice(0, 300)}`));
  return expected.map((line) => JSON.parse(line));
}

test("sentences, labelled by the page and not at all", () => {
  const paragraphs = (sentence) => [sentence, Buffer.from("</p>\n<p>"), sentence, Buffer.from(" and rain.")];
  const labelled = same(sentences.map(([charset, sentence]) => ({ html: page(`<meta charset=${charset}>`, ...paragraphs(sentence)) })));
  assert.deepEqual(labelled.map(({ charset }) => charset.name), sentences.map(([charset]) => charset));
  const guessed = same(sentences.map(([, sentence]) => ({ html: page("", ...paragraphs(sentence)) })));
  assert.equal(new Set(guessed.map(({ charset }) => charset.name)).size > 10, true);
  assert.deepEqual(guessed.map(({ text }) => text.length), labelled.map(({ text }) => text.length));
});

test("every pair of bytes in every charset", () => {
  const pairs = Buffer.from(Array.from({ length: 128 }, (_, one) => Array.from({ length: 255 }, (_, two) => [one + 128, two === 0x3b ? 0x20 : two + 1, 0x20]).flat()).flat().filter((byte) => byte !== 0x3c && byte !== 0x26));
  same(charsets.map((charset) => ({ html: page(`<meta charset=${charset}>`, pairs) })));
});

test("charsets that the caller names", () => {
  const [, japanese] = sentences.find(([charset]) => charset === "EUC-JP");
  for (const charset of ["euc-jp", "Shift_JIS", "utf-16le", "gbk", "x-user-defined"]) same([{ html: page("", japanese, Buffer.from(" and rain.")) }], charset);
});

test("bytes that mean nothing, and characters that are cut off", () => {
  // A sequence that is the same each time.
  let seed = 7;
  const noise = (length) => Buffer.from(Array.from({ length }, () => ((seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31), (seed >> 16) & 255)).filter((byte) => byte !== 0x3c));
  same(charsets.flatMap((charset) => [1, 2, 3, 40, 900].map((length) => ({ html: page(`<meta charset=${charset}>`, noise(length)) }))));
  same([3, 40, 900].map((length) => ({ html: page("", noise(length)) })));
  same(sentences.flatMap(([charset, sentence]) => [1, 2, 3].map((less) => ({ html: Buffer.concat([Buffer.from(`<meta charset=${charset}><p>`), sentence.subarray(0, -less)]) }))));
});

test("addresses with hosts in other scripts", () => {
  const hosts = [
    "bücher.example", "BÜCHER.Example", "xn--bcher-kva.example", "XN--BCHER-KVA.example", "例え.テスト", "пример.рф", "παράδειγμα.gr", "faß.de", "مثال.إختبار", "דוגמה.com", "１２７.0.0.1",
    "a%C3%BC.example", "a\u00adb.example", "xn--a.example", "xn--", "-a-.example", "ａｂｃ.example", "a／b.example", "☃.net", "a..ü", "ü", "0x7f.1", "1.2.3.4.5", "a_b.example", "ÿ%ff.example",
  ];
  const links = Buffer.from(hosts.map((host) => `<a href="http://${host}/rain?x=ü">rain at ${hosts.indexOf(host)}</a> and a few more words, so that it is text;`).join(" "));
  const found = same([{ html: page("<meta charset=utf-8>", links) }, ...hosts.map((host) => ({ html: page("<meta charset=utf-8>", links), url: `https://${host}/` })).filter(({ url }) => URL.canParse(url))]);
  assert.match(found[0].markdown, /http:\/\/xn--bcher-kva\.example\/rain/);
});
