import type { Page } from '@playwright/test';
import { signedIn, startTrial } from './support/api';
import { goToConfirm } from './support/confirm';
import { professional } from './support/plans';
import { expect, test } from './support/test';

/** Links that stay in the area but are not the gate's business: the specification has them bare. */
const bare = ['/vc-admin/auth/logout', '/vc-admin/diy/contact'];

/** Where the links of a page lead that stay in the area, but for those. */
async function waysOn(page: Page): Promise<string[]> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const links = await page.locator('a[href^="/vc-admin/"]').all();
  const ways = await Promise.all(links.map((link) => link.getAttribute('href')));
  return ways.map(String).filter((href) => !bare.some((path) => href.startsWith(path)));
}

async function expectDebugOnEveryLink(page: Page, on: boolean): Promise<void> {
  const ways = await waysOn(page);
  expect(ways.length, 'links there are').toBeGreaterThan(0);
  for (const way of ways) {
    expect(new URL(way, 'http://x').searchParams.get('debug'), way).toBe(on ? 'true' : null);
  }
}

const choice = 'product=professional&currency=AUD&interval=yearly';

for (const [name, path] of [
  ['plans', 'diy/plans?'],
  ['registration', `diy/regform?${choice}`],
  ['contact', 'diy/contact?product=enterprise&interval=yearly'],
  ['sign-in', 'dash?'],
] as const) {
  test(`${name}: every link carries debug when it is there, and not otherwise`, async ({
    page,
  }) => {
    await page.goto(`/vc-admin/${path}&debug=true`);
    await expectDebugOnEveryLink(page, true);
    await page.goto(`/vc-admin/${path}`);
    await expectDebugOnEveryLink(page, false);
  });
}

test('signed in: every link carries debug', async ({ page }) => {
  await signedIn(page.request);
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

for (const off of ['', '?debug=false', '?debug=0']) {
  test(`"${off}" leaves the plans' buttons without effect`, async ({ page }) => {
    await page.goto(`/vc-admin/diy/plans${off}`);
    const buttons = page.getByRole('main').getByRole('region').getByRole('button');
    await expect(buttons).toHaveCount(4);
    for (const button of await buttons.all()) await button.click({ force: true });
    await expect(page).toHaveURL(`/vc-admin/diy/plans${off}`);
  });
}
