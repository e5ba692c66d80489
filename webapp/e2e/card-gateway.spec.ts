import { endTrialUnpaid, expectStatus, getLicenses, listCards, signInNewUser } from './support/api';
import { advanceClock } from './support/dev';
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
import { Server } from './support/server';
import { signIn } from './support/session';
import { expect, testWithServer } from './support/test';

/** A test with the fake gateway. It only moves money and charges cards; the server does the billing. */
const test = testWithServer(() => Server.start({ DIY_PAYMENTS: 'fakegateway' }));

test('a first payment is declined twice and then authenticated', async ({ page }) => {
  const user = await signInNewUser(page.request);
  await endTrialUnpaid(page.request);
  await page.goto(paymentPath);

  await test.step('a card is declined', async () => {
    await fillCard(page, cards.declinedWhenCharged);
    await subscribe(page);
    await expect(page.getByText('Your card was declined.')).toBeVisible();
    expect((await getLicenses(page.request)).license).toBeNull();
  });

  await test.step("a second declined card shows 'retry payment later' and the reason", async () => {
    await replaceCard(page, cards.insufficientFunds);
    await subscribe(page);
    await expect(page.getByText('retry payment later')).toBeVisible();
    await expect(page.getByText('Your card has insufficient funds.')).toBeVisible();
  });

  await test.step('a card that the customer does not authenticate charges nothing', async () => {
    await replaceCard(page, cards.needsAuthentication);
    await subscribe(page);
    await authenticate(page, 'Fail');
    await expect(
      page.getByText(
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      ),
    ).toBeVisible();
    expect((await getLicenses(page.request)).license).toBeNull();
  });

  await test.step('an authenticated card pays', async () => {
    await replaceCard(page, cards.needsAuthentication);
    await subscribe(page);
    await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
    await signIn(page, user);
    await expectStatus(page.request, 'active');
  });
});

test('an invoice is paid with another card after the first card lacked funds at the renewal', async ({
  page,
}) => {
  await buyTrial(page, cards.paysOnce);
  await expect.poll(() => listCards(page.request)).toHaveLength(1);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');

  await test.step('the card lacks funds at the renewal', async () => {
    await advanceClock(page.request, `${24 * 366}h`);
    await expectStatus(page.request, 'past_due');
    await page.goto('/vc-admin/dash');
    await page.getByRole('link', { name: 'Pay now' }).click();
  });

  await test.step('an authenticated card pays the invoice', async () => {
    await payWithAnotherCard(page, cards.authenticatesAlways);
  });
});

test('a trial starts after its card is authenticated again, which is charged at the end', async ({
  page,
  guard,
}) => {
  const user = await signInNewUser(page.request);
  await page.goto(paymentPath);
  guard.expect(402, /\/user-diy\/subscribe/);
  await fillCard(page, cards.declinedWhenSaved);
  await subscribe(page);
  await expect(page.getByText('Your card was declined.')).toBeVisible();
  expect((await getLicenses(page.request)).license).toBeNull();

  await replaceCard(page, cards.needsAuthentication);
  await subscribe(page);
  await authenticate(page, 'Fail');
  await expect(page.getByText(/We are unable to authenticate your payment method/)).toBeVisible();

  await page.getByRole('button', { name: 'Approve this card' }).click();
  await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
  await signIn(page, user);
  await expectStatus(page.request, 'trialing');
  await expect.poll(() => listCards(page.request)).toHaveLength(1);
  await advanceClock(page.request, '169h');
  await expectStatus(page.request, 'active');
});

test('a card is saved on the cards screen after its bank has approved it', async ({
  page,
  guard,
}) => {
  await signInNewUser(page.request);
  await page.goto('/vc-admin/diy/cards');
  await page.getByRole('button', { name: 'Add card' }).click();
  const addCard = async (outcome: 'Complete' | 'Fail') => {
    guard.expect(402, /\/cards\/add/);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await authenticate(page, outcome);
  };

  await fillCard(page, cards.authenticatesAlways);
  await addCard('Fail');
  await expect(page.getByText(/We are unable to authenticate your payment method/)).toBeVisible();
  expect(await listCards(page.request)).toHaveLength(0);

  await addCard('Complete');
  await expect(page.getByText(/3184 was added and is your default card now/)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: '•••• 3184' })).toContainText(
    'Default',
  );
});
