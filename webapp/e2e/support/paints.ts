import type { Page } from '@playwright/test';

/** Records the layout shifts and the number of largest contentful paints of the pages that are opened from now on. */
export const watch = (page: Page) =>
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
export const seen = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { shift: number; largest: number } }).seen);

/** Delays the requests to these addresses until the returned function is called. */
export async function delayRequests(page: Page, pattern: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
