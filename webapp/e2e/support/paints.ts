import type { Page } from '@playwright/test';

interface Paints {
  /** The sum of the layout shifts. */
  shift: number;
  /** The number of largest contentful paints. */
  largestPaints: number;
}

/** Records the layout shifts and largest contentful paints of the pages that are opened from now on. */
export const recordPaints = (page: Page) =>
  page.addInitScript(() => {
    const paints = { shift: 0, largestPaints: 0 };
    Object.assign(window, { paints });
    const observe = (type: string, onEntry: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type });
    observe('layout-shift', (entry) => {
      paints.shift += (entry as PerformanceEntry & { value: number }).value;
    });
    observe('largest-contentful-paint', () => {
      paints.largestPaints += 1;
    });
  });

/** Returns the paints that the current page has recorded. */
export const readPaints = (page: Page) =>
  page.evaluate(() => (window as unknown as { paints: Paints }).paints);
