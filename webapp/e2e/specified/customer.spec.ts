import type { Page } from '@playwright/test';
import { typeCard } from '../stripe/support/card';
import { confirm, goToConfirm, planPanel } from '../support/confirm';
import { cards, expectSuccessAndLogout, subscribe } from '../support/payment';
import { choosePlan, planCard, professional, standard } from '../support/plans';
import { register } from '../support/registration';
import { signIn, signOutLink, submitSignIn } from '../support/session';
import { newUser } from '../support/user';
import { expect, test } from './support/test';

/** Expects the plan and its status on the dashboard. */
async function expectPlan(page: Page, plan: string, status: string): Promise<void> {
  const license = page.getByRole('region', { name: plan, exact: true });
  await expect(license).toContainText(status);
}

test('a customer registers, starts a trial, changes the plan during and after it, and signs out', async ({
  page,
  server,
  guard,
}) => {
  const user = newUser();

  await test.step('choose a plan and register', async () => {
    await page.goto('/vc-admin/diy/plans?debug=true');
    await expect(planCard(page, 'Professional')).toContainText(
      'Free 7-day trial $816 paid annually',
    );
    await choosePlan(page, professional, 'Start your free trial');
    await register(page, user);
    await expect(page.getByText(user.email)).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
  });

  await test.step('sign in, which fails before the verification', async () => {
    guard.expect(401, '/auth/login');
    guard.expectLog(/^Signing in failed/);
    await expect(page.getByRole('link', { name: 'Forgotten password?' })).toHaveCount(0);
    await submitSignIn(page, user);
    await expect(page.getByRole('alert')).toHaveText('Your account is not verified yet');

    await page.goto(server.verificationLink(user.email));
    await signIn(page, user);
    await expect(page.getByRole('heading', { name: 'You have no plan yet' })).toBeVisible();
  });

  await test.step('pay with another card after one was declined', async () => {
    await page.goto('/vc-admin/diy/plans?debug=true');
    await choosePlan(page, professional, 'Start your free trial');
    await expect(page).toHaveURL(
      /payment\?customer=cus_\w+&product=professional&currency=AUD&interval=yearly&debug=true$/,
    );
    await expect(
      page.getByText('Your card will be charged after the free trial period.'),
    ).toBeVisible();
    guard.expect(402, '/vc-admin/user-diy/subscribe');
    await typeCard(page, cards.declinedWhenSaved);
    await subscribe(page);
    await expect(page.getByRole('alert')).toContainText('Your card was declined.');

    await typeCard(page, cards.valid);
    await expectSuccessAndLogout(page, subscribe);
    await expect(page.getByRole('status')).toHaveText(
      'Your trial has startedFree for 7 days, then $816 AUD. Sign in to go on.',
    );
  });

  await test.step('change the plan in the trial', async () => {
    await signIn(page, user);
    await expectPlan(page, 'Professional', 'in-trial');
    await goToConfirm(page, standard);
    await expect(planPanel(page, 'CURRENT PLAN')).toContainText('(in-trial)Professional');
    await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard$420 AUD per year');
    await expect(page.getByText('•••• 4242')).toBeVisible();
    await expect(page.getByText('Updating your plan ends your active trial.')).toBeVisible();
    await expectSuccessAndLogout(page, confirm);
    await expect(page.getByRole('status')).toHaveText(
      'Your subscription is updatedStandard is your plan now. Sign in to go on.',
    );
  });

  await test.step('change the active plan', async () => {
    await signIn(page, user);
    await expectPlan(page, 'Standard', 'active');
    await goToConfirm(page, { ...professional, interval: 'monthly' });
    await expect(planPanel(page, 'CHANGING TO')).toContainText('Professional$76 AUD per month');
    await expect(page.getByText(/ends your active trial/)).toBeHidden();
    await expectSuccessAndLogout(page, confirm);
    await signIn(page, user);
    await expectPlan(page, 'Professional', 'active');
  });

  await test.step('sign out', async () => {
    await signOutLink(page).click();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  });
});
