import type { Page } from '@playwright/test';
import { endTrialUnpaid, getLicenses, signInNewUser } from './support/api';
import {
  authenticate,
  cards,
  expectSuccessAndLogout,
  fillCard,
  replaceCard,
  subscribe,
} from './support/payment';
import { paymentPath } from './support/plans';
import { signIn } from './support/session';
import { expect, test } from './support/test';

/** Returns the invoice that the app stores after a card was declined. */
const readStoredInvoice = (page: Page) =>
  page.evaluate(() => ({
    id: localStorage.getItem('latestInvoiceId'),
    status: localStorage.getItem('latestInvoicePaymentIntentStatus'),
  }));

test('a subscription without a trial starts when a valid card pays after two declined cards', async ({
  page,
  guard,
}) => {
  const user = await signInNewUser(page.request);
  await endTrialUnpaid(page.request);

  await page.goto(paymentPath);
  await expect(page.getByText('Your subscription will start now.')).toBeVisible();
  await expect(
    page.getByText('Your card will be charged after the free trial period.'),
  ).toBeHidden();

  await test.step('a declined card stores the invoice', async () => {
    await fillCard(page, cards.declinedWhenCharged);
    await subscribe(page);
    await expect(page.getByText('Your card was declined.')).toBeVisible();
    expect(await readStoredInvoice(page)).toEqual({
      id: expect.stringMatching(/^in_/),
      status: 'requires_payment_method',
    });
    const { license } = await getLicenses(page.request);
    expect(license).toBeNull();
  });

  await test.step("a second declined card shows 'retry payment later'", async () => {
    guard.expect(402, /^\/dev\/payments\/intents\/.+\/confirm$/);
    await replaceCard(page, cards.insufficientFunds);
    await subscribe(page);
    await expect(page.getByText('retry payment later')).toBeVisible();
  });

  await test.step('a valid card pays, and the stored invoice is deleted', async () => {
    await replaceCard(page, cards.valid);
    await expectSuccessAndLogout(page, subscribe);
    expect(await readStoredInvoice(page)).toEqual({ id: null, status: null });
  });

  await test.step('the license is active, without a trial', async () => {
    await signIn(page, user);
    await expect(page.getByRole('main')).toContainText(/active/i);
    await expect(page.getByText('in-trial')).toBeHidden();
    const { license } = await getLicenses(page.request);
    expect(license?.raw.status).toBe('active');
  });
});

test('a trial starts when the card is authenticated on the second attempt', async ({ page }) => {
  const user = await signInNewUser(page.request);
  await page.goto(paymentPath);
  await fillCard(page, cards.needsAuthentication);
  await subscribe(page);
  await authenticate(page, 'Fail');
  await expect(page.getByRole('alert')).toContainText(/unable to authenticate/i);
  await expect(page.getByText('Subscription update, success!')).toBeHidden();

  await page.getByRole('button', { name: 'Approve this card' }).click();
  await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
  await signIn(page, user);
  expect((await getLicenses(page.request)).license?.raw.status).toBe('trialing');
});
