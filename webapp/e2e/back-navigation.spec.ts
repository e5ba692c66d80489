import type { Page } from '@playwright/test';
import { planCard } from './support/plans';
import { expect, test } from './support/test';

/** Records whether the page shows 'Loading...' from now on. */
const recordLoading = (page: Page) =>
  page.evaluate(() => {
    const loading = { wasShown: false };
    new MutationObserver((changes) => {
      const newNodes = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      loading.wasShown ||= newNodes.some(({ textContent }) => textContent?.includes('Loading...'));
    }).observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { loading });
  });

/** Returns whether the page has shown 'Loading...' since `recordLoading`. */
const wasLoadingShown = (page: Page) =>
  page.evaluate(() => (window as unknown as { loading: { wasShown: boolean } }).loading.wasShown);

test('Back shows the plans immediately, at the previous scroll position', async ({ page }) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  const contactButton = planCard(page, 'Enterprise').getByRole('button');
  await expect(contactButton).toBeVisible();
  const position = await page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight);
    return window.scrollY;
  });
  expect(position).toBeGreaterThan(0);
  await contactButton.dispatchEvent('click'); // a mouse click would scroll to the button
  await expect(page.getByRole('link', { name: 'Compare the plans' })).toBeVisible();

  await recordLoading(page);
  await page.goBack();

  await expect(contactButton).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(position);
  expect(await wasLoadingShown(page)).toBe(false);
});
