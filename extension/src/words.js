// The words of a page of the extension, in the user's language.

/** Fills in everything that names a message: `data-words` for text, `data-words-title` and `data-words-label` for attributes. */
export function fillWords(root = document) {
  document.documentElement.lang = chrome.i18n.getUILanguage();
  document.documentElement.dir = chrome.i18n.getMessage('@@bidi_dir') || 'ltr';
  for (const element of root.querySelectorAll('[data-words]')) element.textContent = words(element.dataset.words);
  for (const element of root.querySelectorAll('[data-words-title]')) element.title = words(element.dataset.wordsTitle);
  for (const element of root.querySelectorAll('[data-words-label]')) element.setAttribute('aria-label', words(element.dataset.wordsLabel));
}

/** @param {string} message @param {...(string|number)} values */
export const words = (message, ...values) => chrome.i18n.getMessage(message, values.map(String)) || message;

export const percent = (share) => new Intl.NumberFormat(chrome.i18n.getUILanguage(), { style: 'percent' }).format(share);
export const count = (number) => new Intl.NumberFormat(chrome.i18n.getUILanguage()).format(number);

/** Asks the background; a problem comes back as an answer with `problem` and `text`. */
export const background = (message) => chrome.runtime.sendMessage({ to: 'background', ...message });

/** @param {string} name @param {Record<string, unknown>} [properties] @param {...(Node|string)} children */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
