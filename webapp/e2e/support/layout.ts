import type { CDPSession, Page } from '@playwright/test';

/** The viewport of a window. The sizes are in CSS pixels at a zoom of 100 %. */
export interface Viewport {
  width: number;
  height: number;
  /** The zoom of the browser: 2 is 200 %. */
  zoom?: number;
  /** The zoom of the text alone. */
  textZoom?: number;
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Returns the page's session of the DevTools protocol. */
function devTools(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** Emulates a viewport. A zoom reduces the number of CSS pixels. */
export async function emulateViewport(
  page: Page,
  { width, height, zoom = 1, textZoom = 1 }: Viewport,
) {
  const session = await devTools(page);
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: Math.floor(width / zoom),
    height: Math.floor(height / zoom),
    deviceScaleFactor: zoom,
    mobile: false,
  });
  await page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size;
    },
    `${textZoom * 100}%`,
  );
}

/**
 * Describes the layout problems of a page: texts that exceed their container, amounts on another line than their sign,
 * controls that can't be clicked, and horizontal scrolling.
 */
export async function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const root = document.documentElement;
    const scope = document.querySelector('dialog:modal') ?? document.body;
    const isWithin = (box: DOMRect, left: number, right: number) =>
      box.left >= left - 1 && box.right <= right + 1;
    const isVisible = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest('.sr-only');

    if (root.scrollWidth > root.clientWidth) {
      problems.push(`scrolls sideways: ${root.scrollWidth} in ${root.clientWidth}`);
    }

    const range = document.createRange();
    const breaksAfterSign = (text: Node, content: string) => {
      const sign = content.indexOf('−');
      if (sign < 0) return false;
      range.setStart(text, sign);
      range.setEnd(text, Math.min(sign + 2, content.length));
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      return lines.size > 1;
    };
    const findExceededContainer = (box: DOMRect, parent: Element) => {
      for (let ancestor: Element | null = parent; ancestor; ancestor = ancestor.parentElement) {
        const { display, position, overflowX } = getComputedStyle(ancestor);
        if (overflowX === 'auto') return null; // the element scrolls sideways, as tabs do
        if (display.startsWith('inline') || display === 'contents') continue;
        const { left, right } = ancestor.getBoundingClientRect();
        if (!isWithin(box, left, right)) return ancestor;
        if (position === 'absolute') return null; // the element overlays the page, as a menu does
      }
      return null;
    };

    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.textContent?.trim() || !parent || !isVisible(parent)) continue;
      if (breaksAfterSign(node, node.textContent)) {
        problems.push(`breaks after its sign: ${node.textContent}`);
      }
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        const container = findExceededContainer(box, parent);
        if (container) problems.push(`sticks out of <${container.localName}>: ${node.textContent}`);
      }
    }

    // The link that skips the header is visible only while it has the focus.
    const selector = 'a[href]:not([href="#main"]), button, input, select';
    for (const control of scope.querySelectorAll<HTMLElement>(selector)) {
      if (!isVisible(control)) continue;
      control.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = control.getBoundingClientRect();
      const topElement = document.elementFromPoint(x + width / 2, y + height / 2);
      const isReachable =
        topElement && (control.contains(topElement) || topElement.contains(control));
      const isBelowMenu = topElement?.closest('[role=menu]');
      if (!isReachable && !isBelowMenu)
        problems.push(`can't be reached: ${control.outerHTML.slice(0, 200)}`);
    }
    window.scrollTo(0, 0);
    return [...new Set(problems)];
  });
}

/** Returns by how many pixels the page scrolls sideways. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
