import config from '../playwright.config';
import { delayRequests, seen, watch } from './support/paints';
import { planCard } from './support/plans';
import { expect, test } from './support/test';

// A scrollbar that appears shifts the layout; Playwright hides scrollbars by default.
test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
});

for (const [device, width, height] of [
  ['a phone', 375, 812],
  ['a desktop', 1350, 940],
] as const) {
  test(`the plans page shows its heading before any script, without layout shift, on ${device}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await watch(page);
    const release = await delayRequests(page, '**/assets/*.js');
    await page.goto('/vc-admin/diy/plans?debug=true', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plans for every practice');
    await expect(page.getByText('Try any plan free for 7 days')).toBeVisible();
    await expect.poll(() => seen(page)).toEqual({ shift: 0, largest: 1 });

    release();
    await expect(planCard(page, 'Standard').getByRole('button')).toBeVisible();

    expect(await seen(page)).toEqual({ shift: 0, largest: 1 });
  });

  test(`the contact page shows its heading before any script, without layout shift, on ${device}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await watch(page);
    const release = await delayRequests(page, '**/assets/*.js');
    await page.goto('/vc-admin/diy/contact?product=enterprise', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact sales');
    await expect.poll(() => seen(page)).toEqual({ shift: 0, largest: 1 });

    release();
    await expect(page.getByText('For Enterprise solutions')).toBeVisible();

    expect(await seen(page)).toEqual({ shift: 0, largest: 1 });
  });
}

test('a typeface that arrives late does not shift the layout', async ({ page }) => {
  await watch(page);
  let deliver = () => {};
  const late = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route('**/*.woff2', async (route) => {
    await late;
    await route.continue();
  });
  await page.goto('/vc-admin/diy/plans?debug=true', { waitUntil: 'commit' });
  await expect(planCard(page, 'Standard').getByRole('button')).toBeVisible();
  const file = page.waitForResponse('**/*.woff2');

  deliver();
  await (await file).finished();
  await page.evaluate(() => document.fonts.ready);

  expect((await seen(page)).shift).toBe(0);
});

test('pages preload the typeface, which browsers cache for a year', async ({ page }) => {
  const file = page.waitForResponse('**/*.woff2');
  await page.goto('/vc-admin/dash');

  const headers = (await file).headers();
  expect(headers['content-type']).toBe('font/woff2');
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const preload = page.locator('link[rel=preload][as=font]');
  await expect(preload).toHaveAttribute('href', new URL((await file).url()).pathname);
  await expect.poll(() => page.evaluate(() => document.fonts.check('1rem Figtree'))).toBe(true);
});
