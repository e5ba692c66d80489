import type { Page } from '@playwright/test';
import { licenses, signedIn, spendTrial } from './support/api';
import { cards, expectSuccessAndLogout, fillCard, replaceCard, subscribe } from './support/payment';
import { signIn } from './support/session';
import { expect, test } from './support/test';

const payment =
  '/vc-admin/diy/payment?product=professional&interval=yearly&currency=AUD&debug=true';

const stored = (page: Page) =>
  page.evaluate(() => ({
    id: localStorage.getItem('latestInvoiceId'),
    status: localStorage.getItem('latestInvoicePaymentIntentStatus'),
  }));

test('who has used up the trial pays at once, and can try another card when one is declined', async ({
  page,
  guard,
}) => {
  const person = await signedIn(page.request);
  await spendTrial(page.request);

  await page.goto(payment);
  await expect(page.getByText('Your subscription will start now.')).toBeVisible();
  await expect(
    page.getByText('Your card will be charged after the free trial period.'),
  ).toBeHidden();

  await test.step('a card that is declined: the invoice is remembered', async () => {
    await fillCard(page, cards.declinedWhenCharged);
    await subscribe(page);
    await expect(page.getByText('Your card was declined.')).toBeVisible();
    expect(await stored(page)).toEqual({
      id: expect.stringMatching(/^in_/),
      status: 'requires_payment_method',
    });
    const { license } = await licenses(page.request);
    expect(license).toBeNull();
  });

  await test.step('another one that is declined: retry later', async () => {
    guard.expect(402, /^\/dev\/payments\/intents\/.+\/confirm$/);
    await replaceCard(page, cards.insufficientFunds);
    await subscribe(page);
    await expect(page.getByText('retry payment later')).toBeVisible();
  });

  await test.step('one that pays: it goes through on the same invoice', async () => {
    await replaceCard(page, cards.good);
    await subscribe(page);
    await expectSuccessAndLogout(page);
    expect(await stored(page)).toEqual({ id: null, status: null });
  });

  await test.step('the license is active, without a second trial', async () => {
    await signIn(page, person);
    await expect(page.getByRole('main')).toContainText(/active/i);
    await expect(page.getByText('in-trial')).toBeHidden();
    const { license } = await licenses(page.request);
    expect(license?.raw.status).toBe('active');
  });
});

test('a card that can not even be saved is refused in the words of the provider', async ({
  page,
  guard,
}) => {
  guard.expect(402, '/vc-admin/user-diy/subscribe');
  await signedIn(page.request);
  await page.goto(payment);
  for (const [card, message] of [
    [cards.declinedWhenSaved, 'Your card was declined.'],
    [cards.expired, 'Your card has expired.'],
  ] as const) {
    await replaceCard(page, card);
    await subscribe(page);
    await expect(page.getByText(message)).toBeVisible();
  }
  const { license } = await licenses(page.request);
  expect(license).toBeNull();
});
