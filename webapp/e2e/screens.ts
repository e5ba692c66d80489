import { fileURLToPath } from 'node:url';
import { journeys } from './support/journeys';
import { test } from './support/test';

const folder = fileURLToPath(new URL('../../testdata/screens/', import.meta.url));

/** The screens that are also captured in the dark color scheme. */
const dark = ['plans', 'regform', 'payment', 'dashboard-trial', 'invoices', 'details'];

for (const { name, run } of journeys) {
  test(name, async ({ page, server, guard }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const capture = async (screen: string) => {
      for (const width of [1280, 375]) {
        await page.setViewportSize({ width, height: 800 });
        // A modal dialog covers the window only.
        const fullPage = (await page.locator('dialog:modal').count()) === 0;
        for (const scheme of dark.includes(screen) ? (['light', 'dark'] as const) : ['light']) {
          await page.emulateMedia({ colorScheme: scheme as 'light', reducedMotion: 'reduce' });
          const suffix = scheme === 'dark' ? '-dark' : '';
          await page.screenshot({ fullPage, path: `${folder}${screen}-${width}${suffix}.png` });
        }
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      }
      await page.setViewportSize({ width: 1280, height: 720 });
    };
    await run(page, { server, guard, show: capture, check: async () => {} });
  });
}
