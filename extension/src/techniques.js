// Lists of techniques to choose from, as the registry has them.

import { element, words } from './words.js';

/** The order in which families are listed; those of sites come after all others. */
const FAMILIES = ['learned', 'rules', 'tree', 'text', 'stream', 'boxes', 'other', 'site'];

const familyOf = ({ level, family }) => (level === 'site' ? 'site' : FAMILIES.includes(family) ? family : 'other');

/**
 * Fills a list with the techniques for a kind of block, by family, the default first.
 * @param {HTMLSelectElement} list
 * @param {object[]} registry
 * @param {string} kind
 * @param {string} [chosen]
 */
export function fillTechniques(list, registry, kind, chosen) {
  const fitting = registry.filter((technique) => technique.kind === kind);
  const groups = FAMILIES.map((family) => {
    const members = fitting.filter((technique) => familyOf(technique) === family).sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
    if (members.length === 0) return null;
    const options = members.map(({ name, summary, isDefault }) =>
      element('option', { value: name, textContent: isDefault ? words('isDefault', name) : name, title: summary, selected: name === chosen }),
    );
    return element('optgroup', { label: words(`family_${family}`) }, ...options);
  });
  list.replaceChildren(...groups.filter(Boolean));
}
