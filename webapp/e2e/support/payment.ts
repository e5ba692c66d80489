import { expect, type Locator, type Page } from '@playwright/test';
import { delayRequests } from './requests';

/** The fake provider's test cards. */
export const cards = {
  valid: '4242424242424242',
  mastercard: '5555555555554444',
  needsAuthentication: '4000002500003155',
  authenticatesAlways: '4000002760003184',
  declinedWhenSaved: '4000000000000002',
  declinedWhenCharged: '4000000000000341',
  insufficientFunds: '4000000000009995',
  paysOnce: '4000000000001000',
} as const;

/** The fake provider's test bank accounts. Their payments take three days. */
export const bankAccounts = {
  failsAfterThreeDays: '6000000000059110',
  returnsAfterTenDays: '6000000000094406',
} as const;

/** Types a card key by key. */
export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').pressSequentially(number);
  await page.getByLabel('Expiry').pressSequentially('1234');
  await page.getByLabel('CVC').pressSequentially('123');
}

/** Clears the card field and types a card. */
export async function replaceCard(page: Page, number: string): Promise<void> {
  for (const label of ['Card number', 'Expiry', 'CVC']) await page.getByLabel(label).clear();
  await fillCard(page, number);
}

/** Returns the notice about a payment that is processing. */
export function processingNotice(page: Page): Locator {
  return page.getByText('Your payment is on its way').first();
}

/** Presses Subscribe. */
export async function subscribe(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Subscribe' }).click();
}

/** Completes or fails the authentication in the dialog of the fake provider. */
export async function authenticate(page: Page, outcome: 'Complete' | 'Fail'): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: outcome }).click();
}

/**
 * Pays with `pay` and expects the success message, then the sign-out. Delays the sign-out until the message is found, because
 * on a busy machine the sign-out can happen before `pay` returns.
 */
export async function expectSuccessAndLogout(
  page: Page,
  pay: (page: Page) => Promise<void>,
): Promise<void> {
  const release = await delayRequests(page, '**/vc-admin/auth/logout');
  const message = expect(
    page.getByRole('status').filter({ hasText: 'Logging you out' }),
  ).toHaveText('Subscription update, success!Logging you out... please wait and login again!');
  await Promise.all([pay(page), message.finally(release)]);
  await page.waitForURL('**/vc-admin/dash');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
}
