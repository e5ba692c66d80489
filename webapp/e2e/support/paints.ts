import type { Page } from '@playwright/test';

/** Records the layout shifts and the number of largest contentful paints of the pages that are opened from now on. */
export const recordPaints = (page: Page) =>
  page.addInitScript(() => {
    const seen = { shift: 0, largest: 0 };
    Object.assign(window, { seen });
    const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type });
    observe('layout-shift', (entry) => {
      seen.shift += (entry as PerformanceEntry & { value: number }).value;
    });
    observe('largest-contentful-paint', () => {
      seen.largest += 1;
    });
  });

/** What was recorded so far. */
export const recordedPaints = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { shift: number; largest: number } }).seen);
