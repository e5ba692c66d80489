import { expect } from '@playwright/test';
import {
  deleteCards,
  getLicenses,
  signInAfterTrial,
  signInNewUser,
  signInOnTrial,
  startTrial,
} from '../api';
import { cardRow } from '../cards';
import { chooseChangeAtRenewal, confirm, goToConfirm } from '../confirm';
import { advanceClock } from '../dev';
import { serveEmailPreferences } from '../email-preferences';
import { choosePlan, planCard, professional, setPrices, standard } from '../plans';
import {
  abandonRequests,
  editResponses,
  failRequests,
  removeCapabilities,
  restoreConfig,
  restoreRequests,
  stallRequests,
} from '../requests';
import { newUser, type User } from '../user';
import { expectText, type Journey, openScreen } from './journey';

const quoteCallPath = '/vc-admin/org/subscription/quote';

/** An organisation and an email address that are longer than a line on a phone. */
const longWords = {
  org: 'Wirbelsäulengymnastikpraxisgemeinschaft',
  email: 'wirbelsaeulengymnastik@praxisgemeinschaft-oberhausen.example',
};

/** Returns a new user with long words. A test that is tried again at the same server needs other names. */
function newUserWithLongWords(): User {
  const user = newUser();
  const place = user.email.replace(/^.*@|\.example$/g, '');
  return {
    ...user,
    org: `${longWords.org} ${place}`,
    email: longWords.email.replace('@praxis', `@${place}-praxis`),
  };
}

/** The screens of plans, dashboard and confirmation of a signed-in user. */
export const customerJourneys: readonly Journey[] = [
  {
    name: 'plans and dashboard without a license',
    async run(page, context) {
      await signInNewUser(page.request);
      await openScreen(page, '/vc-admin/dash');
      await expect(page.getByRole('link', { name: /Go on to payment/ })).toBeVisible();
      await context.show('dashboard-new');

      await editResponses<{ stripeCustomerId?: string }>(page, '/vc-admin/org/detail/*', (org) => {
        delete org.stripeCustomerId;
      });
      await failRequests(page, context, '/vc-admin/user-diy/new-customer', 502);
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await setPrices(page, professional);
      const button = planCard(page, 'Professional').getByRole('button');
      await button.click();
      await expectText(page, 'The payment provider does not answer.');
      await context.show('plans-no-customer');
      await restoreRequests(page, context, '/vc-admin/user-diy/new-customer');
      await stallRequests(page, '/vc-admin/user-diy/new-customer');
      await button.click();
      await expect(button).toBeDisabled();
      await context.show('plans-busy');
    },
  },
  {
    name: 'email addresses that refuse emails, and email preferences',
    async run(page, context) {
      await signInNewUser(page.request);
      await editResponses<{ detail: { unreachableEmails?: string[] } }>(
        page,
        '/vc-admin/user/detail',
        ({ detail }) => {
          detail.unreachableEmails = [longWords.email, 'accounts@unreachable.example'];
        },
      );
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'We can’t reach accounts@unreachable.example');
      await context.show('dashboard-unreachable');
      await restoreRequests(page, context, '/vc-admin/user/detail');

      await serveEmailPreferences(page, longWords);
      await openScreen(page, '/vc-admin/auth/emails?token=of-an-email');
      await expect(page.getByRole('checkbox', { name: /Your plan renews/ })).toBeVisible();
      await context.show('email-preferences');
    },
  },
  {
    name: 'dashboard with long words, and when the customer fails to load',
    async run(page, context) {
      const user = newUserWithLongWords();
      await signInNewUser(page.request, user);
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, user.email);
      await context.show('dashboard-new-long-word');
      await startTrial(page.request);
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, /^Free trial: /);
      await context.show('dashboard-long-word');
      await failRequests(page, context, '/vc-admin/org/customer', 502);
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'Please try again later!');
      await context.show('dashboard-without-customer');
    },
  },
  {
    name: 'plans with a developer license',
    async run(page, context) {
      await signInNewUser(page.request);
      const { orgId } = await getLicenses(page.request);
      await context.server.runCommand(
        'license',
        'dev',
        '--org',
        orgId,
        '--reason',
        'partner',
        '--ticket',
        'none',
      );
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expectText(page, 'You have a developer licence.');
      const buttons = page.getByRole('main').getByRole('region').getByRole('button');
      for (const button of await buttons.all()) await button.click({ force: true });
      await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
      await context.show('plans-developer');
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, /^This developer licence/);
      await context.show('dashboard-developer');
    },
  },
  {
    name: 'plans, cards and confirmation on a trial',
    async run(page, context) {
      await signInOnTrial(page);
      await openScreen(page, '/vc-admin/diy/cards');
      await expectText(page, '•••• 4242');
      await context.show('cards');
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expect(page.getByRole('button', { name: 'Your current plan' })).toHaveCount(2);
      await context.show('plans-licensed');
      await choosePlan(page, standard, 'Update your plan');
      await expectText(page, 'CHANGING TO');
      await expectText(page, '•••• 4242');
      await expectText(page, 'Next charge');
      await context.show('confirm');
      await chooseChangeAtRenewal(page);
      await expectText(page, 'Nothing is charged now.');
      await context.show('confirm-later');
      await page.getByRole('button', { name: 'Manage card(s)' }).click();
      await expect(cardRow(page, '4242')).toBeVisible();
      await context.show('cards-from-confirm');
    },
  },
  {
    name: 'confirmation while it loads and when it fails',
    async run(page, context) {
      await signInOnTrial(page);
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await setPrices(page, standard);
      await stallRequests(page, '/vc-admin/org/customer');
      await planCard(page, 'Standard').getByRole('button').click();
      await expectText(page, 'Loading...');
      await context.show('confirm-loading');
      await abandonRequests(page, '/vc-admin/org/customer');

      await stallRequests(page, quoteCallPath);
      await goToConfirm(page, standard);
      await expectText(page, 'Loading the amount...');
      await context.show('confirm-quote-loading');
      await abandonRequests(page, quoteCallPath);
      await failRequests(page, context, quoteCallPath, 502);
      await goToConfirm(page, standard);
      await expectText(page, 'The amount could not be computed');
      await context.show('confirm-no-quote');
      await restoreRequests(page, context, quoteCallPath);
      await removeCapabilities(page, 'quotes', 'at_period_end');
      await goToConfirm(page, standard);
      await context.show('confirm-without-quotes');
      await restoreConfig(page, context);
      await goToConfirm(page, standard);
      await expectText(page, 'Next charge');
      await advanceClock(page.request, '11m');
      context.guard.expect(409, '/vc-admin/org/subscription/update');
      await confirm(page);
      await expectText(page, 'The amount may have changed');
      await context.show('confirm-quote-expired');

      await goToConfirm(page, standard);
      await failRequests(page, context, '/vc-admin/org/subscription/update*', 502);
      await confirm(page);
      await expectText(page, 'We could not find out');
      await context.show('confirm-failed');
      await restoreRequests(page, context, '/vc-admin/org/subscription/update*');
      await goToConfirm(page, standard);
      await stallRequests(page, '/vc-admin/org/subscription/update*');
      await confirm(page);
      await expectText(page, 'Please wait...');
      await context.show('confirm-busy');
    },
  },
  // The following journeys advance the server's clock, so their dates lie in the future.
  {
    name: 'plans and confirmation after a trial',
    async run(page, context) {
      await signInAfterTrial(page);
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expect(page.getByRole('button', { name: 'Update your plan' })).toHaveCount(4);
      await context.show('plans-ended');
      await goToConfirm(page, professional);
      await expectText(page, '•••• 0341');
      await context.show('confirm-renewal');
      await confirm(page);
      await expectText(page, 'Your card was declined.');
      await context.show('confirm-declined');
    },
  },
  {
    name: 'session that ended',
    async run(page, context) {
      await signInOnTrial(page);
      await goToConfirm(page, standard);
      const otherTab = await page.context().newPage();
      await otherTab.goto('/vc-admin/auth/logout');
      await expectText(page, 'Your session has ended');
      await context.show('session-ended');
    },
  },
  {
    name: 'confirmation without a card',
    async run(page, context) {
      await signInAfterTrial(page);
      await deleteCards(page.request);
      await goToConfirm(page, standard);
      await expect(page.getByRole('link', { name: 'Add a payment method' })).toBeVisible();
      await context.show('confirm-no-card');
    },
  },
];
