import { licenses, signedIn } from '../support/api';
import { cards, subscribe } from '../support/payment';
import { signIn } from '../support/session';
import { authenticate, expectSuccess, typeCard } from './support/card';
import { spendTrial, subscriptions } from './support/state';
import { expect, test } from './support/test';

const payment =
  '/vc-admin/diy/payment?product=professional&interval=yearly&currency=AUD&debug=true';

test.describe('a trial', () => {
  test('begins with a card', async ({ page }) => {
    const person = await signedIn(page.request);
    await page.goto(payment);
    await typeCard(page, cards.good);
    await subscribe(page);
    await expectSuccess(page);
    await signIn(page, person);
    await expect(page.getByText('in-trial')).toBeVisible();
  });

  test('begins with a card that is authenticated, at the second try', async ({ page }) => {
    const person = await signedIn(page.request);
    await page.goto(payment);
    await typeCard(page, cards.authenticates);
    await subscribe(page);
    await authenticate(page, 'Fail');
    await expect(page.getByRole('alert')).toContainText(/unable to authenticate/i);
    await expect(page.getByText('Subscription update, success!')).toBeHidden();

    await subscribe(page);
    await authenticate(page, 'Complete');
    await expectSuccess(page);
    await signIn(page, person);
    expect((await licenses(page.request)).license?.raw.status).toBe('trialing');
  });

  test('does not begin with a declined card, but with the next one', async ({ page, guard }) => {
    guard.expect(402, '/vc-admin/user-diy/subscribe');
    await signedIn(page.request);
    await page.goto(payment);
    await typeCard(page, cards.declinedWhenSaved);
    await subscribe(page);
    await expect(page.getByRole('alert')).toContainText('Your card was declined.');

    await typeCard(page, cards.good);
    await subscribe(page);
    await expectSuccess(page);
  });

  test('tells what is wrong with the card in Stripe’s words', async ({ page, guard }) => {
    guard.expect(402, '/v1/payment_methods');
    await signedIn(page.request);
    await page.goto(payment);
    await typeCard(page, '4242424242424241');
    await subscribe(page);
    const field = page.getByRole('group', { name: 'Card details' });
    await expect(field).toContainText('Your card number is invalid.');
  });
});

test.describe('a payment', () => {
  test('is authenticated, at the second try', async ({ page, stripe }) => {
    const person = await signedIn(page.request);
    await spendTrial(page.request, stripe);
    await page.goto(payment);
    await expect(page.getByText('Your subscription will start now.')).toBeVisible();
    await typeCard(page, cards.authenticates);
    await subscribe(page);
    await authenticate(page, 'Fail');
    await expect(page.getByRole('alert')).toContainText(/unable to authenticate/i);
    expect((await licenses(page.request)).license).toBeNull();

    await subscribe(page);
    await authenticate(page, 'Complete');
    await expectSuccess(page);
    await signIn(page, person);
    expect((await licenses(page.request)).license?.raw.status).toBe('active');
  });

  test('that was declined is made with another card, after a reload too', async ({
    page,
    stripe,
    guard,
  }) => {
    const person = await signedIn(page.request);
    await spendTrial(page.request, stripe);
    await page.goto(payment);
    await typeCard(page, cards.insufficientFunds);
    await subscribe(page);
    await expect(page.getByRole('alert')).toContainText('Your card was declined.');
    const [open] = await subscriptions(page, stripe);

    guard.expect(402, /^\/v1\/payment_intents\/\w+\/confirm$/);
    await page.reload();
    await typeCard(page, cards.declinedWhenCharged);
    await subscribe(page);
    await expect(page.getByRole('alert')).toContainText('retry payment later');

    await typeCard(page, cards.good);
    await subscribe(page);
    await expectSuccess(page);
    await signIn(page, person);
    expect(await subscriptions(page, stripe)).toEqual([{ ...open, status: 'active' }]);
  });
});
