import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './support/test';
import { visits } from './support/visits';

/** What axe finds, short enough to read. */
async function violations(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
}

for (const { name, open } of visits) {
  test(`${name}: axe finds nothing, in light and dark`, async ({ page }) => {
    await open(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect.soft(await violations(page), colorScheme).toEqual([]);
    }
  });

  test(`${name}: nothing scrolls sideways at 320 pixels`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await open(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
  });
}
