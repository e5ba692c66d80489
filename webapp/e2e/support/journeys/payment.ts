import { expect, type Page } from '@playwright/test';
import { expectStatus, signInAfterTrial, signInNewUser } from '../api';
import { addCard } from '../cards';
import { advanceClock } from '../dev';
import {
  buyWithBankAccount,
  signInWithDeclinedChange,
  signInWithOverdueInvoice,
  signInWithUnapprovedTrial,
} from '../open-payment';
import { authenticate, bankAccounts, cards, fillCard, replaceCard, subscribe } from '../payment';
import { paymentPath } from '../plans';
import {
  abandonRequests,
  failRequests,
  removeCapabilities,
  restoreConfig,
  restoreRequests,
  stallRequests,
} from '../requests';
import { expectText, type Journey, openScreen } from './journey';

const subscribeCallPath = '/vc-admin/user-diy/subscribe*';
const quoteCallPath = '/vc-admin/org/subscription/quote';
const cardsCallPath = '/vc-admin/org/customer/cards';
const payPath = '/vc-admin/diy/pay';
const payCallPath = '/vc-admin/org/subscription/pay';

async function openPayment(page: Page): Promise<void> {
  await openScreen(page, paymentPath);
  await expect(page.getByLabel('Card number')).toBeVisible();
}

/** Keeps the page open after a payment. */
async function blockLogout(page: Page): Promise<void> {
  await page.route('**/vc-admin/auth/logout', (route) => route.fulfill({ status: 204 }));
}

/** Responds to subscribe with a payment that is still processing. */
async function respondWithProcessing(page: Page): Promise<void> {
  await page.route(`**${subscribeCallPath}`, (route) =>
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

/** The screens of payment and pay. */
export const paymentJourneys: readonly Journey[] = [
  {
    name: 'payment and its failures',
    async run(page, context) {
      await signInNewUser(page.request);
      await stallRequests(page, quoteCallPath);
      await openPayment(page);
      await context.show('payment-loading');
      await abandonRequests(page, quoteCallPath);
      await failRequests(page, context, quoteCallPath, 502);
      await openPayment(page);
      await expectText(page, 'The amount could not be computed');
      await context.show('payment-no-quote');
      await restoreRequests(page, context, quoteCallPath);
      await removeCapabilities(page, 'quotes', 'at_period_end');
      await openPayment(page);
      await expectText(page, /^We write to you .* To end it, write to/);
      await context.show('payment-without-quotes');
      await restoreConfig(page, context);
      await openPayment(page);
      await expectText(page, 'Total due');
      await context.show('payment');
      await replaceCard(page, '4242424242424241');
      await subscribe(page);
      await expectText(page, 'Your card number is invalid.');
      await context.show('payment-invalid-card');
      context.guard.expect(402, '/vc-admin/user-diy/subscribe');
      await replaceCard(page, cards.declinedWhenSaved);
      await subscribe(page);
      await expectText(page, 'Your card was declined.');
      await context.show('payment-declined');
      await advanceClock(page.request, '11m');
      context.guard.expect(409, '/vc-admin/user-diy/subscribe');
      await replaceCard(page, cards.valid);
      await subscribe(page);
      await expectText(page, 'The amount may have changed');
      await context.show('payment-quote-expired');
      await failRequests(page, context, subscribeCallPath, 409);
      await replaceCard(page, cards.valid);
      await subscribe(page);
      await expectText(page, 'Nothing was charged.');
      await context.show('payment-refused');
      await restoreRequests(page, context, subscribeCallPath);
      await failRequests(page, context, subscribeCallPath, 502);
      await subscribe(page);
      await expectText(page, 'We could not find out');
      await context.show('payment-unknown-outcome');
      await restoreRequests(page, context, subscribeCallPath);
      await stallRequests(page, subscribeCallPath);
      await subscribe(page);
      await expect(page.getByRole('button', { name: 'Subscribe' })).toBeDisabled();
      await context.show('payment-busy');
    },
  },
  {
    name: 'payment with authentication',
    async run(page, context) {
      await blockLogout(page);
      await signInNewUser(page.request);
      await openPayment(page);
      await fillCard(page, cards.needsAuthentication);
      await subscribe(page);
      await expect(page.getByRole('dialog')).toBeVisible();
      await context.show('payment-authentication');
      await authenticate(page, 'Complete');
      await expectText(page, 'Subscription update, success!');
      await context.show('payment-success');
    },
  },
  {
    name: 'payment that is processing',
    async run(page, context) {
      await signInNewUser(page.request);
      await respondWithProcessing(page);
      await openPayment(page);
      await fillCard(page, cards.valid);
      await subscribe(page);
      await expectText(page, 'Your payment is on its way');
      await context.show('payment-processing');
    },
  },
  {
    name: 'bank debit that is on its way, and then returned',
    async run(page, context) {
      await buyWithBankAccount(page, bankAccounts.returnsAfterTenDays);
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'Your payment is on its way');
      await context.show('dashboard-processing');
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expectText(page, /It is expected by/);
      await context.show('plans-processing');
      await advanceClock(page.request, '241h');
      await expectStatus(page.request, 'past_due');
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'Payment overdue');
      await context.show('dashboard-returned');
      await openScreen(page, '/vc-admin/diy/invoices');
      await page.getByRole('link', { name: /-0*3$/ }).click();
      await expectText(page, 'Returned by your bank');
      await context.show('invoice-returned');
    },
  },
  {
    name: 'trial whose card is not approved',
    async run(page, context) {
      await signInNewUser(page.request);
      await page.goto(payPath);
      await expectText(page, 'Nothing to pay');
      await context.show('pay-nothing');
      await signInWithUnapprovedTrial(page);
      await context.show('payment-trial-not-approved');
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'Not approved yet');
      await context.show('dashboard-approve');
      await page.goto(payPath);
      await expect(page.getByRole('button', { name: 'Approve this card' })).toBeVisible();
      await context.show('pay-approve');
      await page.getByRole('button', { name: 'Approve this card' }).click();
      await authenticate(page, 'Complete');
      await expectText(page, 'Your card is approved');
      await context.show('pay-approved');
    },
  },
  {
    name: 'declined plan change',
    async run(page, context) {
      await signInWithDeclinedChange(page);
      await expect(page.getByRole('button', { name: /^Keep Professional/ })).toBeVisible();
      await context.show('confirm-change-declined');
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'Your change to Standard waits for a payment');
      await context.show('dashboard-change');
      await page.goto(payPath);
      await expect(page.getByRole('button', { name: /^Keep Professional/ })).toBeVisible();
      await context.show('pay-change');
      await page.getByRole('button', { name: /^Keep Professional/ }).click();
      await expectText(page, 'The change was dropped');
      await context.show('pay-done');
    },
  },
  // The following journeys advance the server's clock, so their dates lie in the future.
  {
    name: 'overdue invoice',
    async run(page, context) {
      await signInWithOverdueInvoice(page);
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'payment overdue');
      await context.show('dashboard-past-due');
      await stallRequests(page, cardsCallPath);
      await openScreen(page, payPath);
      await context.show('pay-loading');
      await abandonRequests(page, cardsCallPath);
      await failRequests(page, context, cardsCallPath, 502);
      await openScreen(page, payPath);
      await expectText(page, 'Your saved cards could not be loaded');
      await context.show('pay-no-cards');
      await restoreRequests(page, context, cardsCallPath);
      await openScreen(page, payPath);
      await page.getByRole('radio', { name: /^Visa ending in 0341/ }).check();
      await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
      await expectText(page, /^Your invoice is still open/);
      await context.show('pay-declined');
      await page.getByRole('radio', { name: 'Another card' }).check();
      await expect(page.getByLabel('Card number')).toBeVisible();
      await context.show('pay-overdue');
      await stallRequests(page, payCallPath);
      await page.getByRole('radio', { name: /^Visa ending in 0341/ }).check();
      await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
      await expect(page.getByRole('radio', { name: 'Another card' })).toBeDisabled();
      await context.show('pay-busy');
      await abandonRequests(page, payCallPath);
      await openScreen(page, '/vc-admin/diy/cards');
      await addCard(page, cards.insufficientFunds);
      await expectText(page, 'Pay it another way');
      await context.show('cards-invoice-open');
      await openScreen(page, '/vc-admin/diy/cards');
      await addCard(page, cards.valid);
      await expectText(page, /Your overdue invoice of \$816 AUD was paid/);
      await context.show('cards-invoice-paid');
    },
  },
  {
    name: 'first payment that waits for approval',
    async run(page, context) {
      await signInAfterTrial(page);
      await openPayment(page);
      await expectText(page, 'Your subscription will start now.');
      await context.show('payment-no-trial');
      await fillCard(page, cards.needsAuthentication);
      await subscribe(page);
      await authenticate(page, 'Fail');
      await expect(page.getByRole('alert')).toBeVisible();
      await context.show('payment-not-approved');
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'Your first payment has not been made yet');
      await context.show('dashboard-first-payment');
      await page.goto(payPath);
      await expect(page.getByRole('button', { name: 'Pay $816 AUD' })).toBeVisible();
      await context.show('pay-first');
    },
  },
];

/** Pays and opens the screen after the payment, which has succeeded or is still processing. */
export async function openPaymentResult(page: Page, result: 'success' | 'processing') {
  await blockLogout(page);
  await signInNewUser(page.request);
  if (result === 'processing') await respondWithProcessing(page);
  await openPayment(page);
  await fillCard(page, cards.valid);
  await subscribe(page);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Payment');
}
