// Parts of texts that are selected and labelled, by the characters of the text that stands directly in an element. Used by workbench.js.
"use strict";

const isText = (node) => node.nodeType === Node.TEXT_NODE;
const ownTexts = (node) => [...node.childNodes].filter(isText);
const characters = (text) => [...text].length;
const isAd = ({ is }) => is === "ads";

// Marks of an element without those of a layer (advertisements, or everything else) between two places.
function without(marks, ads, from, to) {
  return marks.flatMap((mark) => {
    if (isAd(mark) !== ads || mark.to <= from || mark.from >= to) return [mark];
    return [{ ...mark, to: from }, { ...mark, from: to }].filter(({ from, to }) => from < to);
  });
}

// Says of a part of a text what it is; the same again takes it away.
function sayOfText(said, element, from, to, is) {
  const marks = said.texts.get(element) ?? [];
  const isSame = marks.some((mark) => mark.is === is && mark.from <= from && to <= mark.to);
  const left = without(marks, is === "ads", from, to);
  const around = is === "ads" ? said.ads[element] === 1 : CLASSES[said.classes[element]] === is;
  if (!isSame && !around) left.push({ from, to, is });
  if (left.length) said.texts.set(element, left);
  else said.texts.delete(element);
}

// Parts of elements' own texts that are selected, without white space at their ends.
function selectedParts(document) {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount) return [];
  const range = selection.getRangeAt(0);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Map();
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const around = text.parentElement;
    if (around?.dataset?.n === undefined || !range.intersectsNode(text)) continue;
    const start = text === range.startContainer ? range.startOffset : 0;
    const end = text === range.endContainer ? range.endOffset : text.length;
    const chosen = text.data.slice(start, end);
    if (!chosen.trim()) continue;
    const before = ownTexts(around).slice(0, ownTexts(around).indexOf(text)).map(({ data }) => data).join("");
    const from = characters(before + text.data.slice(0, start + chosen.length - chosen.trimStart().length));
    const to = characters(before + text.data.slice(0, start + chosen.trimEnd().length));
    found.set(around, [...(found.get(around) ?? []), { from, to }]);
  }
  return [...found].map(([node, parts]) => {
    const own = ownTexts(node).map(({ data }) => data).join("");
    const seen = characters(own) - characters(own.trimStart());
    const isWhole = parts[0].from <= seen && parts.at(-1).to >= characters(own.trimEnd()) && parts.length === ownTexts(node).filter(({ data }) => data.trim()).length;
    return { node, parts, isWhole };
  });
}
