import type { Page } from '@playwright/test';

/**
 * Changes the documents of the page as Chrome's translation does: moves each text into new <font> elements, also a text that
 * appears later, except in elements with translate="no". Logs an error when the page updates a text node that was replaced,
 * because its old text stays on the screen. The texts stay English, so that tests find them.
 */
export const translatePage = (page: Page) =>
  page.addInitScript(() => {
    const skipped = 'script, style, textarea, title, noscript, font, [translate=no]';
    const updates = new MutationObserver((records) => {
      for (const { oldValue, target } of records) {
        console.error(`The translated page still shows "${oldValue}", not "${target.textContent}"`);
      }
    });
    const translate = (text: Text) => {
      if (!text.parentElement || text.parentElement.closest(skipped)) return;
      if (!/\p{L}{2}/u.test(text.data)) return;
      const outer = document.createElement('font');
      const inner = outer.appendChild(document.createElement('font'));
      inner.textContent = text.data;
      text.replaceWith(outer);
      updates.observe(text, { characterData: true, characterDataOldValue: true });
    };
    const translateAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(translate);
    };
    const additions = new MutationObserver((records) => {
      for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (node instanceof Text) translate(node);
        else translateAll(node);
      }
    });
    additions.observe(document, { childList: true, subtree: true });
  });

/** Adds an element after each input, as password managers and writing assistants do. */
export const addExtensionElements = (page: Page) =>
  page.addInitScript(() => {
    const decorated = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const input of document.querySelectorAll('input, textarea')) {
        if (decorated.has(input)) continue;
        decorated.add(input);
        input.after(document.createElement('extension-icon'));
      }
    }).observe(document, { childList: true, subtree: true });
  });
