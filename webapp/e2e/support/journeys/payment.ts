import { expect, type Page } from '@playwright/test';
import { signedIn } from '../api';
import { declinedChange, overdue } from '../open-payment';
import { cards, fillCard, replaceCard, subscribe } from '../payment';
import { afterTrial, choice, expectText, fail, hold, type Journey, open, restore } from './journey';

const subscribeCall = '/vc-admin/user-diy/subscribe*';

async function openPayment(page: Page): Promise<void> {
  await open(page, `/vc-admin/diy/payment?${choice}`);
  await expect(page.getByLabel('Card number')).toBeVisible();
}

/** Keeps the page where it is after a payment. */
async function blockLogout(page: Page): Promise<void> {
  await page.route('**/vc-admin/auth/logout', (route) => route.fulfill({ status: 204 }));
}

/** Responds to subscribe with a payment that is still processing. */
async function answerProcessing(page: Page): Promise<void> {
  await page.route(`**${subscribeCall}`, (route) =>
    route.fulfill({
      json: {
        id: 'sub_1',
        status: 'incomplete',
        pending_setup_intent: null,
        latest_invoice: { id: 'in_1', payment_intent: { id: 'pi_1', status: 'processing' } },
      },
    }),
  );
}

/** The screens that take payments. */
export const paymentJourneys: readonly Journey[] = [
  {
    name: 'payment and its failures',
    async run(page, context) {
      await signedIn(page.request);
      await openPayment(page);
      await context.show('payment');
      await replaceCard(page, '4242424242424241');
      await subscribe(page);
      await expectText(page, 'Your card number is invalid.');
      await context.check('payment-invalid-card');
      await fail(page, context, subscribeCall, 409);
      await replaceCard(page, cards.good);
      await subscribe(page);
      await expectText(page, 'Nothing was charged.');
      await context.check('payment-refused');
      await restore(page, subscribeCall);
      await fail(page, context, subscribeCall, 502);
      await subscribe(page);
      await expectText(page, 'We could not find out');
      await context.check('payment-unknown-outcome');
      await restore(page, subscribeCall);
      await hold(page, subscribeCall);
      await subscribe(page);
      await expect(page.getByRole('button', { name: 'Subscribe' })).toBeDisabled();
      await context.check('payment-busy');
    },
  },
  {
    name: 'payment with authentication',
    async run(page, context) {
      await blockLogout(page);
      await signedIn(page.request);
      await openPayment(page);
      await fillCard(page, cards.authenticates);
      await subscribe(page);
      await expect(page.getByRole('dialog')).toBeVisible();
      await context.check('payment-authentication');
      await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
      await expectText(page, 'Subscription update, success!');
      await context.check('payment-success');
    },
  },
  {
    name: 'payment that is processing',
    async run(page, context) {
      await signedIn(page.request);
      await answerProcessing(page);
      await openPayment(page);
      await fillCard(page, cards.good);
      await subscribe(page);
      await expectText(page, 'Your payment is on its way');
      await context.check('payment-processing');
    },
  },
  {
    name: 'declined plan change',
    async run(page, context) {
      await declinedChange(page);
      await expect(page.getByRole('button', { name: 'Drop the change' })).toBeVisible();
      await context.show('confirm-change-declined');
      await page.goto('/vc-admin/diy/pay');
      await expect(page.getByRole('button', { name: 'Drop the change' })).toBeVisible();
      await context.show('pay-change');
      await page.getByRole('button', { name: 'Drop the change' }).click();
      await expectText(page, 'The change was dropped');
      await context.show('pay-done');
    },
  },
  // These advance the server's clock; the others show today's dates.
  {
    name: 'overdue bill',
    async run(page, context) {
      await overdue(page);
      await open(page, '/vc-admin/dash');
      await expectText(page, 'past due');
      await context.check('dashboard-past-due');
      await page.goto('/vc-admin/diy/pay');
      await page.getByRole('radio', { name: 'Another card' }).check();
      await expect(page.getByLabel('Card number')).toBeVisible();
      await context.show('pay-overdue');
    },
  },
  {
    name: 'payment without a trial',
    async run(page, context) {
      await afterTrial(page);
      await openPayment(page);
      await expectText(page, 'Your subscription will start now.');
      await context.show('payment-no-trial');
    },
  },
];

/** Opens the screen after a payment: a success, or one that is still processing. */
export async function openPaymentResult(page: Page, result: 'success' | 'processing') {
  await blockLogout(page);
  await signedIn(page.request);
  if (result === 'processing') await answerProcessing(page);
  await openPayment(page);
  await fillCard(page, cards.good);
  await subscribe(page);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Payment');
}
