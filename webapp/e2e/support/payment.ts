import { expect, type Page } from '@playwright/test';

/** The fake provider's test cards. */
export const cards = {
  good: '4242424242424242',
  authenticates: '4000002500003155',
  declinedWhenSaved: '4000000000000002',
  declinedWhenCharged: '4000000000000341',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
} as const;

/** Types a card as people do, key by key. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number);
  await page.getByLabel('Expiry').pressSequentially('1234');
  await page.getByLabel('CVC').pressSequentially('123');
}

/** Types over whatever card stands there. */
export async function replaceCard(page: Page, number: string): Promise<void> {
  for (const label of ['Card number', 'Expiry', 'CVC']) await page.getByLabel(label).clear();
  await fillCard(page, number);
}

export async function subscribe(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Subscribe' }).click();
}

/** The two sentences of a success, and after a second the visitor is signed out. */
export async function expectSuccessAndLogout(page: Page): Promise<void> {
  const leaving = page.waitForRequest('**/vc-admin/auth/logout');
  await expect(page.getByText('Subscription update, success!')).toBeVisible();
  const paidAt = await lastAnswer(page);
  await expect(page.getByText('Logging you out... please wait and login again!')).toBeVisible();
  const logout = await leaving;
  await logout.response(); // its times are known from then on
  const time = logout.timing().startTime - paidAt;
  expect(time, 'time to read the sentences').toBeGreaterThan(900);
  await page.waitForURL('**/vc-admin/dash');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
}

/** When the page's last call was answered, by the browser's clock: ours is late on a busy machine. */
function lastAnswer(page: Page): Promise<number> {
  return page.evaluate(() => {
    const loads = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const calls = loads.filter(
      ({ initiatorType: by }) => by === 'xmlhttprequest' || by === 'fetch',
    );
    return performance.timeOrigin + Math.max(...calls.map(({ responseEnd }) => responseEnd));
  });
}
