import { getLicenses, signInNewUser } from '../support/api';
import { cards, expectSuccessAndLogout, subscribe } from '../support/payment';
import { paymentPath } from '../support/plans';
import { signIn } from '../support/session';
import { authenticate, typeCard } from './support/card';
import { endTrialUnpaid, getSubscriptions } from './support/state';
import { expect, test } from './support/test';

test.describe('a trial', () => {
  test('starts when the card is authenticated on the second attempt', async ({ page }) => {
    const user = await signInNewUser(page.request);
    await page.goto(paymentPath);
    await typeCard(page, cards.needsAuthentication);
    await subscribe(page);
    await authenticate(page, 'Fail');
    await expect(page.getByRole('alert')).toContainText(/unable to authenticate/i);
    await expect(page.getByText('Subscription update, success!')).toBeHidden();

    await page.getByRole('button', { name: 'Approve this card' }).click();
    await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
    await signIn(page, user);
    expect((await getLicenses(page.request)).license?.raw.status).toBe('trialing');
  });

  test('starts with a valid card after an invalid and a declined one', async ({ page, guard }) => {
    guard.expect(402, '/v1/payment_methods');
    guard.expect(402, '/vc-admin/user-diy/subscribe');
    await signInNewUser(page.request);
    await page.goto(paymentPath);
    await typeCard(page, '4242424242424241');
    await subscribe(page);
    await expect(page.getByRole('group', { name: 'Card details' })).toContainText(
      'Your card number is invalid.',
    );

    await typeCard(page, cards.declinedWhenSaved);
    await subscribe(page);
    await expect(page.getByRole('alert')).toContainText('Your card was declined.');

    await typeCard(page, cards.valid);
    await expectSuccessAndLogout(page, subscribe);
  });
});

test.describe('a payment', () => {
  test('succeeds when it is authenticated on the second attempt', async ({ page, stripe }) => {
    const user = await signInNewUser(page.request);
    await endTrialUnpaid(page.request, stripe);
    await page.goto(paymentPath);
    await expect(page.getByText('Your subscription will start now.')).toBeVisible();
    await typeCard(page, cards.needsAuthentication);
    await subscribe(page);
    await authenticate(page, 'Fail');
    await expect(page.getByRole('alert')).toContainText(/unable to authenticate/i);
    expect((await getLicenses(page.request)).license).toBeNull();

    await subscribe(page);
    await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
    await signIn(page, user);
    expect((await getLicenses(page.request)).license?.raw.status).toBe('active');
  });

  test('succeeds with another card after a decline and a reload', async ({
    page,
    stripe,
    guard,
  }) => {
    const user = await signInNewUser(page.request);
    await endTrialUnpaid(page.request, stripe);
    await page.goto(paymentPath);
    await typeCard(page, cards.insufficientFunds);
    await subscribe(page);
    await expect(page.getByRole('alert')).toContainText('Your card was declined.');
    const [incompleteSubscription] = await getSubscriptions(page, stripe);

    guard.expect(402, /^\/v1\/payment_intents\/\w+\/confirm$/);
    await page.reload();
    await typeCard(page, cards.declinedWhenCharged);
    await subscribe(page);
    await expect(page.getByRole('alert')).toContainText('retry payment later');

    await typeCard(page, cards.valid);
    await expectSuccessAndLogout(page, subscribe);
    await signIn(page, user);
    expect(await getSubscriptions(page, stripe)).toEqual([
      { ...incompleteSubscription, status: 'active' },
    ]);
  });
});
