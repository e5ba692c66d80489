import type { Page } from '@playwright/test';
import { signedIn } from './api';
import { addCard } from './cards';
import { confirm, goToConfirm } from './confirm';
import { cards, fillCard, subscribe } from './payment';
import { planCard, setPrices, standard } from './plans';
import { choice, fail, onTrial, said, type Visit, visit } from './visit';

async function openPayment(page: Page): Promise<void> {
  await signedIn(page.request);
  await visit(page, `/vc-admin/diy/payment?${choice}`);
}

/** Payment, confirmation and cards when something has gone wrong. */
export const failingPaymentVisits: readonly Visit[] = [
  {
    name: 'payment-card-refused',
    async open(page) {
      await openPayment(page);
      await fillCard(page, '4242424242424241');
      await subscribe(page);
      await said(page, 'Your card number is invalid.');
    },
  },
  {
    name: 'payment-refused',
    async open(page, house) {
      await openPayment(page);
      await fillCard(page, cards.good);
      await fail(page, house, '/vc-admin/user-diy/subscribe*', 409);
      await subscribe(page);
      await said(page, 'Nothing was charged.');
    },
  },
  {
    name: 'payment-in-doubt',
    async open(page, house) {
      await openPayment(page);
      await fillCard(page, cards.good);
      await fail(page, house, '/vc-admin/user-diy/subscribe*', 502);
      await subscribe(page);
      await said(page, 'We could not find out');
    },
  },
  {
    name: 'confirm-failed',
    async open(page, house) {
      await onTrial(page);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await setPrices(page, standard);
      await fail(page, house, '/vc-admin/org/customer', 502);
      await planCard(page, 'Standard').getByRole('button').click();
      await said(page, 'Please try again later!');
    },
  },
  {
    name: 'confirm-refused',
    async open(page, house) {
      await onTrial(page);
      await goToConfirm(page, standard);
      await fail(page, house, '/vc-admin/org/subscription/update*', 502);
      await confirm(page);
      await said(page, 'We could not find out');
    },
  },
  {
    name: 'cards-failed',
    async open(page, house) {
      await signedIn(page.request);
      await fail(page, house, '/vc-admin/org/customer/cards', 502);
      await visit(page, '/vc-admin/diy/cards');
      await said(page, 'Please try again later!');
    },
  },
  {
    name: 'cards-refused',
    async open(page, house) {
      await signedIn(page.request);
      await fail(page, house, '/vc-admin/org/customer/cards/add', 502);
      await visit(page, '/vc-admin/diy/cards');
      await addCard(page, cards.good);
      await said(page, 'The payment provider does not answer.');
    },
  },
];
