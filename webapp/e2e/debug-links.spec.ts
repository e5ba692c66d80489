import type { Page } from '@playwright/test';
import { signInNewUser, startTrial } from './support/api';
import { goToConfirm } from './support/confirm';
import { professional } from './support/plans';
import { expect, test } from './support/test';

/** Links that the specification defines without the debug parameter. */
const linksWithoutDebug = ['/vc-admin/auth/logout', '/vc-admin/diy/contact'];

/** The hrefs of the page's links into the area, except `linksWithoutDebug`. */
async function areaLinks(page: Page): Promise<string[]> {
  await expect(page.getByRole('contentinfo')).toBeVisible(); // everything has loaded
  const links = await page.locator('a[href^="/vc-admin/"]').all();
  const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
  return hrefs
    .map(String)
    .filter((href) => !linksWithoutDebug.some((path) => href.startsWith(path)));
}

async function expectDebugOnEveryLink(page: Page, on: boolean): Promise<void> {
  const hrefs = await areaLinks(page);
  expect(hrefs.length, 'links on the page').toBeGreaterThan(0);
  for (const href of hrefs) {
    expect(new URL(href, 'http://x').searchParams.get('debug'), href).toBe(on ? 'true' : null);
  }
}

const choice = 'product=professional&currency=AUD&interval=yearly';

test('a visitor: every link carries debug when the address does, and not otherwise', async ({
  page,
}) => {
  for (const path of [
    'diy/plans?',
    `diy/regform?${choice}`,
    'diy/contact?product=enterprise&interval=yearly',
    'dash?',
  ]) {
    await page.goto(`/vc-admin/${path}&debug=true`);
    await expectDebugOnEveryLink(page, true);
    await page.goto(`/vc-admin/${path}`);
    await expectDebugOnEveryLink(page, false);
  }
});

test('a user: every link carries debug', async ({ page }) => {
  await signInNewUser(page.request);
  for (const path of ['dash?debug=true', 'diy/cards?debug=true', `diy/payment?${choice}&debug=1`]) {
    await page.goto(`/vc-admin/${path}`);
    await expectDebugOnEveryLink(page, true);
  }
  await startTrial(page.request);
  await page.goto('/vc-admin/dash?debug=true');
  await expectDebugOnEveryLink(page, true);
  await goToConfirm(page, { ...professional, plan: 'Standard' });
  await expectDebugOnEveryLink(page, true);
  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await expect(page).toHaveURL('/vc-admin/diy/cards?debug=true');
});
