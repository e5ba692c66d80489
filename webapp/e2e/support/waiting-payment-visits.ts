import { expect, type Page } from '@playwright/test';
import { signedIn } from './api';
import { twoCards } from './billing-visits';
import { chooseOption } from './cards';
import { confirm, goToConfirm } from './confirm';
import { cards, fillCard, subscribe } from './payment';
import { planCard, setPrices, standard } from './plans';
import { answer, choice, hold, loading, onTrial, type Visit, visit } from './visit';

async function pay(page: Page, card: string = cards.good): Promise<void> {
  await signedIn(page.request);
  await visit(page, `/vc-admin/diy/payment?${choice}`);
  await fillCard(page, card);
  await subscribe(page);
}

/** From now on nobody is logged out: an answer without content leaves the page where it is. */
async function stay(page: Page): Promise<void> {
  await page.route('**/vc-admin/auth/logout', (route) => route.fulfill({ status: 204 }));
}

/** Payment, confirmation and cards while they wait, and what follows for a moment only. */
export const waitingPaymentVisits: readonly Visit[] = [
  {
    name: 'payment-busy',
    async open(page) {
      await hold(page, '/vc-admin/user-diy/subscribe*');
      await pay(page);
      await expect(page.getByRole('button', { name: 'Subscribe' })).toBeDisabled();
    },
  },
  {
    name: 'payment-authentication',
    async open(page) {
      await hold(page, '/dev/payments/intents/*/confirm');
      await pay(page, cards.authenticates);
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'payment-success',
    async open(page) {
      await stay(page);
      await pay(page);
      await expect(page.getByText('Subscription update, success!')).toBeVisible();
    },
  },
  {
    name: 'payment-processing',
    async open(page) {
      await answer(page, '/vc-admin/user-diy/subscribe*', {
        id: 'sub_1',
        status: 'incomplete',
        pending_setup_intent: null,
        latest_invoice: { id: 'in_1', payment_intent: { id: 'pi_1', status: 'processing' } },
      });
      await pay(page);
      await expect(page.getByText('Your payment is on its way')).toBeVisible();
    },
  },
  {
    name: 'confirm-loading',
    async open(page) {
      await onTrial(page);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await setPrices(page, standard);
      await hold(page, '/vc-admin/org/customer');
      await planCard(page, 'Standard').getByRole('button').click();
      await loading(page);
    },
  },
  {
    name: 'confirm-busy',
    async open(page) {
      await onTrial(page);
      await goToConfirm(page, standard);
      await hold(page, '/vc-admin/org/subscription/update*');
      await confirm(page);
      await expect(page.getByText('Please wait...')).toBeVisible();
    },
  },
  {
    name: 'cards-loading',
    async open(page) {
      await hold(page, '/vc-admin/user/detail');
      await visit(page, '/vc-admin/diy/cards');
      await loading(page);
    },
  },
  {
    name: 'cards-list-loading',
    async open(page) {
      await signedIn(page.request);
      await hold(page, '/vc-admin/org/customer/cards');
      await visit(page, '/vc-admin/diy/cards');
      await expect(page.getByText('Loading your cards...')).toBeAttached();
    },
  },
  {
    name: 'cards-busy',
    async open(page) {
      await twoCards(page);
      await hold(page, '/vc-admin/org/customer/edit');
      await chooseOption(page, '4242', 'Set as default');
      await expect(page.getByRole('button', { name: /^More options/ })).toBeDisabled();
    },
  },
  {
    name: 'cards-adding',
    async open(page) {
      await signedIn(page.request);
      await visit(page, '/vc-admin/diy/cards');
      await hold(page, '/vc-admin/org/customer/cards/add');
      await page.getByRole('button', { name: 'Add card' }).click();
      await fillCard(page, cards.good);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();
    },
  },
];
