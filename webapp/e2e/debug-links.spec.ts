import type { Page } from '@playwright/test';
import { signInNewUser, startTrial } from './support/api';
import { goToConfirm } from './support/confirm';
import { standard } from './support/plans';
import { expect, test } from './support/test';

/** Links that the specification defines without the debug parameter. */
const linksWithoutDebug = ['/vc-admin/auth/logout', '/vc-admin/diy/contact'];

/** Returns the hrefs of the page's links into the area, except `linksWithoutDebug`. */
async function areaLinks(page: Page): Promise<string[]> {
  await expect(page.getByRole('contentinfo')).toBeVisible(); // the page is loaded
  const links = await page.locator('a[href^="/vc-admin/"]').all();
  const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
  return hrefs
    .map(String)
    .filter((href) => !linksWithoutDebug.some((path) => href.startsWith(path)));
}

/** Expects that every link into the area has the debug parameter, or that none has it. */
async function expectDebugLinks(page: Page, isOn: boolean): Promise<void> {
  const hrefs = await areaLinks(page);
  expect(hrefs.length, 'links on the page').toBeGreaterThan(0);
  for (const href of hrefs) {
    expect(new URL(href, 'http://x').searchParams.get('debug'), href).toBe(isOn ? 'true' : null);
  }
}

const professionalQuery = 'product=professional&currency=AUD&interval=yearly';

test('the links of a visitor have the debug parameter only when the URL has it', async ({
  page,
}) => {
  for (const path of [
    'diy/plans?',
    `diy/regform?${professionalQuery}`,
    'diy/contact?product=enterprise&interval=yearly',
    'dash?',
  ]) {
    await page.goto(`/vc-admin/${path}&debug=true`);
    await expectDebugLinks(page, true);
    await page.goto(`/vc-admin/${path}`);
    await expectDebugLinks(page, false);
  }
});

test('the links of a signed-in user have the debug parameter', async ({ page }) => {
  await signInNewUser(page.request);
  for (const path of [
    'dash?debug=true',
    'diy/cards?debug=true',
    `diy/payment?${professionalQuery}&debug=1`,
  ]) {
    await page.goto(`/vc-admin/${path}`);
    await expectDebugLinks(page, true);
  }
  await startTrial(page.request);
  await page.goto('/vc-admin/dash?debug=true');
  await expectDebugLinks(page, true);
  await goToConfirm(page, standard);
  await expectDebugLinks(page, true);
  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await expect(page).toHaveURL('/vc-admin/diy/cards?debug=true');
});
