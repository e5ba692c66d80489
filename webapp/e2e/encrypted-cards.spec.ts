import type { Page } from '@playwright/test';
import { expectStatus, getLicenses, listCards, signInNewUser } from './support/api';
import { advanceClock, readEmail } from './support/dev';
import { buyTrial, payWithAnotherCard } from './support/open-payment';
import {
  authenticate,
  cards,
  expectSuccessAndLogout,
  fillCard,
  replaceCard,
  subscribe,
} from './support/payment';
import { paymentPath } from './support/plans';
import { freeAddress, Server } from './support/server';
import { signIn } from './support/session';
import { expect, testWithServer } from './support/test';

/** Test cards that only this provider has; see testdata/consumers/cardgateway/fakeapi/cards.go. */
const authenticatedOnAPage = '4000000000003220';
const expiredCard = '4000000000000069';

const sandboxAddr = await freeAddress();

/**
 * A test with the provider of testdata/consumers/cardgateway. The provider only charges cards; the server does the
 * billing.
 */
const test = testWithServer(async () => {
  const addr = await freeAddress();
  const settings = {
    DIY_ADDR: addr,
    DIY_PAYMENTS: 'cardgateway',
    DIY_CARDGATEWAY_URL: `http://${sandboxAddr}`,
    DIY_CARDGATEWAY_SANDBOX_ADDR: sandboxAddr,
    DIY_CARDGATEWAY_MERCHANT_ACCOUNT: 'TestMerchant',
    DIY_CARDGATEWAY_API_KEY: 'API key of the test',
    DIY_CARDGATEWAY_CLIENT_KEY: 'test_client',
    DIY_CARDGATEWAY_HMAC_KEY: '00112233445566778899aabbccddeeff',
  };
  return Server.start(settings, 'cardgateway');
});

/** Confirms or rejects the payment on the page of the bank, which returns to the application. */
async function authenticateAtBank(page: Page, outcome: 'Confirm' | 'Reject') {
  await expect(page.getByRole('heading', { name: 'Test Bank' })).toBeVisible();
  await page.getByRole('button', { name: outcome }).click();
  await page.waitForURL('**/vc-admin/diy/**');
}

/** Waits until the organisation of the signed-in user is on hold, or is not. */
const expectHold = (page: Page, isOnHold: boolean) =>
  expect
    .poll(async () => {
      const response = await page.request.get('/vc-admin/user/detail');
      return Boolean((await response.json()).detail.disputedAt);
    })
    .toBe(isOnHold);

/** Uses a control of the provider's sandbox, which acts on its newest payment. */
async function controlSandbox(page: Page, control: string) {
  const response = await page.request.post(`http://${sandboxAddr}/sandbox/${control}`);
  expect(response.ok(), control).toBe(true);
}

test('a trial starts after its card is authenticated in the page, and is charged at the end', async ({
  page,
  guard,
}) => {
  const user = await signInNewUser(page.request);
  await page.goto(paymentPath);
  guard.expect(402, /\/user-diy\/subscribe/);

  await test.step('cards that the bank refuses start no trial', async () => {
    await fillCard(page, cards.declinedWhenSaved);
    await subscribe(page);
    await expect(page.getByText('Your card was declined.')).toBeVisible();
    await replaceCard(page, expiredCard);
    await subscribe(page);
    await expect(page.getByText('Your card has expired.')).toBeVisible();
    expect((await getLicenses(page.request)).license).toBeNull();
  });

  await replaceCard(page, cards.needsAuthentication);
  await subscribe(page);
  await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
  await signIn(page, user);
  await expectStatus(page.request, 'trialing');
  await expect.poll(() => listCards(page.request)).toHaveLength(1);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');
});

test('the card of a trial is rejected and then confirmed on the page of the bank', async ({
  page,
}) => {
  await signInNewUser(page.request);
  await page.goto(paymentPath);
  await fillCard(page, authenticatedOnAPage);
  await subscribe(page);
  await authenticateAtBank(page, 'Reject');
  await expect(page.getByText('You did not confirm the payment.')).toBeVisible();

  await page.goto('/vc-admin/diy/pay');
  await fillCard(page, authenticatedOnAPage);
  await page.getByRole('button', { name: 'Approve this card' }).click();
  await authenticateAtBank(page, 'Confirm');
  await expect(page.getByRole('heading', { name: 'Your free trial has started' })).toBeVisible();
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');
});

test('a first payment is declined, not authenticated, and paid after the page of the bank', async ({
  page,
}) => {
  await buyTrial(page, cards.declinedWhenCharged);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'past_due');
  await advanceClock(page.request, '361h');
  await expect.poll(async () => (await getLicenses(page.request)).license).toBeNull();
  await page.goto(paymentPath);

  await test.step('cards are declined', async () => {
    await fillCard(page, cards.declinedWhenCharged);
    await subscribe(page);
    await expect(page.getByText('Your card was declined.')).toBeVisible();
    await replaceCard(page, cards.insufficientFunds);
    await subscribe(page);
    await expect(page.getByText('retry payment later')).toBeVisible();
    await expect(page.getByText('Your card has insufficient funds.')).toBeVisible();
  });

  await test.step('a card that the customer does not authenticate in the page charges nothing', async () => {
    await replaceCard(page, cards.needsAuthentication);
    await subscribe(page);
    await authenticate(page, 'Fail');
    await expect(page.getByText('You did not confirm the payment.')).toBeVisible();
    expect((await getLicenses(page.request)).license).toBeNull();
  });

  await test.step('a card that the customer rejects at the bank charges nothing', async () => {
    await replaceCard(page, authenticatedOnAPage);
    await subscribe(page);
    await authenticateAtBank(page, 'Reject');
    await expect(page.getByText('You did not confirm the payment.')).toBeVisible();
    expect((await getLicenses(page.request)).license).toBeNull();
  });

  await test.step('a card that the customer confirms at the bank pays', async () => {
    await page.goto(paymentPath);
    await fillCard(page, authenticatedOnAPage);
    await subscribe(page);
    await authenticateAtBank(page, 'Confirm');
    await expect(page.getByRole('heading', { name: 'Your payment is complete' })).toBeVisible();
    await expectStatus(page.request, 'active');
  });
});

test('an invoice is paid with another card after its renewal lacked funds, and is refunded in part', async ({
  page,
}) => {
  const user = await buyTrial(page, cards.paysOnce);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');

  await test.step('the card lacks funds at the renewal', async () => {
    await advanceClock(page.request, `${24 * 366}h`);
    await expectStatus(page.request, 'past_due');
    await readEmail(page.request, user.email, /^Payment failed: \$816 AUD/);
    await page.goto('/vc-admin/dash');
    await page.getByRole('link', { name: 'Pay now' }).click();
  });

  await test.step('a card that is authenticated in the page pays the invoice', async () => {
    await payWithAnotherCard(page, cards.needsAuthentication);
  });

  await test.step('the operator refunds a part in the dashboard of the provider, which arrives later', async () => {
    await controlSandbox(page, 'refunds?value=10000');
    await readEmail(page.request, user.email, /^Refund: \$100 AUD of invoice CG-/);
    await advanceClock(page.request, '49h');
    await page.goto('/vc-admin/diy/invoices');
    await page.getByRole('link', { name: /CG-/ }).first().click();
    await expect(page.getByRole('main')).toContainText('Refund');
  });
});

test('the hold after a dispute ends if the dispute is won, and stays if it is lost', async ({
  page,
}) => {
  const user = await buyTrial(page, cards.valid);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');

  await controlSandbox(page, 'disputes');
  await expectHold(page, true);
  await page.goto('/vc-admin/dash');
  await expect(page.getByText(/A payment of your organisation was disputed/).first()).toBeVisible();

  await controlSandbox(page, 'disputes/won');
  await expectHold(page, false);
  await readEmail(page.request, user.email, /^Your account is no longer on hold/);

  await controlSandbox(page, 'disputes');
  await expectHold(page, true);
  await controlSandbox(page, 'disputes/lost');
  await readEmail(page.request, user.email, /^Dispute settled: \$816 AUD/);
  await expectHold(page, true);
});
