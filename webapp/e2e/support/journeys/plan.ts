import { expect, type Page } from '@playwright/test';
import { post, signInAfterTrial, signInNewUser, signInOnPaidPlan, signInOnTrial } from '../api';
import { goToConfirm } from '../confirm';
import { signInWithOverdueInvoice } from '../open-payment';
import { professional, standard } from '../plans';
import {
  abandonRequests,
  editResponses,
  failRequests,
  restoreRequests,
  stallRequests,
} from '../requests';
import { expectText, type Journey, type JourneyContext, openScreen } from './journey';

const summaryCallPath = '/vc-admin/org/billing';
const userCallPath = '/vc-admin/user/detail';
const plansPath = '/vc-admin/diy/plans?debug=true';
const dashPath = '/vc-admin/dash';
const endPath = '/vc-admin/diy/end';

/** The parts of the billing summary that journeys change, for states that take many steps to reach. */
interface Summary {
  subscription: { amount: number; hold: string | null };
  next: { amount: number };
  credit: { amount: number; currency: string };
  card: { label?: string };
  end: { kind: string };
}

/** Goes to the confirmation from a plans page that was loaded before the change became impossible. */
async function goToConfirmFromOutdatedPlans(page: Page, context: JourneyContext): Promise<void> {
  await editResponses<{ detail: { planObstacles?: object } }>(page, userCallPath, ({ detail }) => {
    delete detail.planObstacles;
  });
  await goToConfirm(page, standard);
  await restoreRequests(page, context, userCallPath);
}

/** The dashboard and the end screen, and the menu of the organisation. */
export const planJourneys: readonly Journey[] = [
  {
    name: 'dashboard on a trial, ending and resuming',
    async run(page, context) {
      await signInOnTrial(page);
      await openScreen(page, dashPath);
      await expectText(page, /^Free trial: /);
      await expectText(page, /^Your first invoice with a charge comes on/);
      await context.show('dashboard-trial');
      await page.getByRole('button', { name: /Physiotherapy/ }).click();
      await context.show('dashboard-menu');
      await openScreen(page, endPath);
      await expectText(page, /^You keep your Professional trial/);
      await context.show('end');
      await page.getByRole('button', { name: 'End Professional' }).click();
      await expect(page.getByRole('heading', { name: /^Professional ends on/ })).toBeVisible();
      await context.show('end-result');
      await openScreen(page, dashPath);
      await expectText(page, 'Resume Professional');
      await context.show('dashboard-ending');
      await openScreen(page, plansPath);
      await expectText(page, /^Resume first: /);
      await context.show('plans-ending');
      await goToConfirmFromOutdatedPlans(page, context);
      await expectText(page, 'Resume it first');
      await context.show('confirm-ending');
      await openScreen(page, dashPath);
      await page.getByRole('button', { name: 'Resume Professional' }).click();
      await expectText(page, 'You keep Professional.');
      await context.show('dashboard-resumed');
    },
  },
  {
    name: 'dashboard with a scheduled change, while it loads and when it fails',
    async run(page, context) {
      await signInOnTrial(page);
      await post(page.request, '/vc-admin/org/subscription/update', {
        priceId: 'standard_yearly',
        interval: 'yearly',
        currency: 'AUD',
        when: 'renewal',
      });
      await openScreen(page, dashPath);
      await expectText(page, /^Standard from/);
      await context.show('dashboard-scheduled');
      await goToConfirm(page, { ...professional, interval: 'monthly' });
      await expectText(page, /^If you confirm, the new change replaces this one/);
      await context.show('confirm-scheduled');
      await stallRequests(page, summaryCallPath);
      await openScreen(page, dashPath);
      await context.show('dashboard-loading');
      await openScreen(page, endPath);
      await context.show('end-loading');
      await abandonRequests(page, summaryCallPath);
      await failRequests(page, context, summaryCallPath, 502);
      await openScreen(page, dashPath);
      await expectText(page, 'Please try again later!');
      await context.show('dashboard-failed');
      await openScreen(page, endPath);
      await expectText(page, 'Please try again later!');
      await context.show('end-failed');
    },
  },
  {
    name: 'dashboard without a subscription',
    async run(page, context) {
      await signInNewUser(page.request);
      await openScreen(page, dashPath);
      await expectText(page, 'One step left: your Professional plan');
      await context.show('dashboard-chosen-plan');
      await openScreen(page, endPath);
      await expectText(page, 'There is nothing to end');
      await context.show('end-nothing');
    },
  },
  // The following journeys advance the server's clock, so their dates lie in the future.
  {
    name: 'dashboard, end and confirmation of a paying customer',
    async run(page, context) {
      await signInOnPaidPlan(page);
      await openScreen(page, dashPath);
      await expectText(page, 'Nothing to pay');
      await context.show('dashboard-active');
      await openScreen(page, endPath);
      await expectText(page, /^You keep Professional until/);
      await failRequests(page, context, '/vc-admin/org/subscription/cancel', 502);
      await page.getByRole('radio', { name: 'Something else' }).check();
      await page.getByRole('button', { name: 'End Professional' }).click();
      await expectText(page, /^We could not find out/);
      await context.show('end-not-ended');
      await editResponses<{ detail: { license: { hold: string } } }>(
        page,
        userCallPath,
        ({ detail }) => {
          detail.license.hold = 'disputed';
        },
      );
      await goToConfirm(page, standard);
      await expectText(page, /^A payment of your organisation is disputed/);
      await context.show('confirm-hold');
      await restoreRequests(page, context, userCallPath);
      await editResponses<Summary>(page, summaryCallPath, ({ subscription }) => {
        subscription.hold = 'disputed';
      });
      await openScreen(page, dashPath);
      await expectText(page, /^A payment of your organisation is disputed/);
      await context.show('dashboard-hold');
      await restoreRequests(page, context, summaryCallPath);
      await post(page.request, '/vc-admin/org/subscription/update', {
        priceId: 'professional_monthly',
        interval: 'monthly',
        currency: 'AUD',
      });
      await openScreen(page, dashPath);
      await expectText(page, /is left after that/);
      await context.show('dashboard-credit');
      await editResponses<Summary>(page, summaryCallPath, (summary) => {
        summary.next.amount = 123_456_789;
        summary.credit.amount = 987_654_321;
        summary.subscription.amount = 1_111_111_110;
        summary.card.label = 'Mastercard Corporate Purchasing •••• 4444';
      });
      await openScreen(page, dashPath);
      await expectText(page, /1,234,567.89/);
      await context.show('dashboard-large');
    },
  },
  {
    name: 'dashboard and end of an overdue plan',
    async run(page, context) {
      await signInWithOverdueInvoice(page);
      await openScreen(page, dashPath);
      await expectText(page, 'Payment overdue');
      await context.show('dashboard-overdue');
      await openScreen(page, endPath);
      await expectText(page, /^Professional ends at once/);
      await context.show('end-overdue');
      await editResponses<Summary>(page, summaryCallPath, ({ end }) => {
        end.kind = 'now_owed';
      });
      await openScreen(page, endPath);
      await expectText(page, /stays owed/);
      await context.show('end-owed');
      await restoreRequests(page, context, summaryCallPath);
      await goToConfirmFromOutdatedPlans(page, context);
      await expectText(page, 'Pay it first');
      await context.show('confirm-overdue');
      const { detail } = await (await page.request.get(userCallPath)).json();
      const owedPayment = { ...detail.openPayment, kind: 'owed', nextAttemptAt: null };
      await openScreen(page, endPath);
      await page.getByRole('button', { name: 'End Professional' }).click();
      await expectText(page, /^Subscribe again/);
      await context.show('end-ended');
      await editResponses<{ detail: { openPayment: object } }>(page, userCallPath, ({ detail }) => {
        detail.openPayment = owedPayment;
      });
      await editResponses<{ data: { status: string }[] }>(
        page,
        '/vc-admin/org/invoices/list',
        ({ data }) => {
          for (const invoice of data.slice(0, 1)) invoice.status = 'open';
        },
      );
      await openScreen(page, dashPath);
      await expectText(page, 'Your Professional plan has ended');
      await context.show('dashboard-owed');
      await openScreen(page, '/vc-admin/diy/pay');
      await expect(page.getByRole('button', { name: 'Pay $816 AUD' })).toBeVisible();
      await context.show('pay-owed');
    },
  },
  {
    name: 'dashboard after the end of a plan',
    async run(page, context) {
      await signInAfterTrial(page);
      await openScreen(page, dashPath);
      await expectText(page, /^Subscribe again/);
      await context.show('dashboard-ended');
    },
  },
];
