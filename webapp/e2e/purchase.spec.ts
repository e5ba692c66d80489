import { verificationLink } from './support/dev';
import { cards, expectSuccessAndLogout, fillCard, subscribe } from './support/payment';
import { choosePlan, planCard, professional, registrationPath } from './support/plans';
import { register } from './support/registration';
import { signIn, signOutLink } from './support/session';
import { expect, test } from './support/test';
import { newUser } from './support/user';

test('a visitor chooses a plan, registers, verifies the address and starts a trial by paying', async ({
  page,
  server,
}) => {
  const user = newUser();

  await test.step('choose Professional, yearly, AUD', async () => {
    await page.goto('/vc-admin/diy/plans?debug=true');
    const card = planCard(page, 'Professional');
    await expect(card).toContainText('$68');
    await expect(card).toContainText('Free 7-day trial $816 paid annually');
    await choosePlan(page, professional, 'Start your free trial');
    await expect(page).toHaveURL(registrationPath);
  });

  await test.step('register', async () => {
    await expect(
      page.getByText('You are subscribing to a Professional plan', { exact: false }),
    ).toBeVisible();
    await register(page, user);
    await expect(page).toHaveURL(/\/vc-admin\/diy\/registered/);
    await expect.poll(() => page.evaluate(() => window.scrollY), 'scrolled to the top').toBe(0);
    await expect(page.getByText(user.email)).toBeVisible();
    await expect(
      page.getByText(
        'Please check your inbox to verify your account and login with your credentials',
      ),
    ).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      '/vc-admin/dash',
    );
  });

  await test.step('verify the address from the mailbox', async () => {
    await page.goto(await verificationLink(page.request, user.email));
    await expect(page).toHaveURL('/vc-admin/dash?verified=1');
  });

  await test.step('sign in and open the payment', async () => {
    await signIn(page, user);
    await page.getByRole('link', { name: 'Go on to payment' }).click();
    await expect(page).toHaveURL(/\/vc-admin\/diy\/payment\?.*product=professional/);
    await expect(
      page.getByText('Your card will be charged after the free trial period.'),
    ).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Professional');
    await expect(page.getByRole('main')).toContainText('$816 AUD');
  });

  await test.step('pay, and be signed out after a second', async () => {
    await fillCard(page, cards.valid);
    await expectSuccessAndLogout(page, subscribe);
    await expect(page.getByRole('status')).toHaveText(
      /^Your trial has started.*, then \$816\sAUD\. We email you a confirmation\. Sign in to go on\.$/,
    );
    await expect(page.getByLabel('Email')).toHaveValue(user.email);
  });

  const expectTrialOfProfessional = async () => {
    await expect(page.getByText('in-trial')).toBeVisible();
    await page.goto('/vc-admin/diy/plans?debug=true');
    await expect(
      planCard(page, 'Professional').getByRole('button', { name: 'Your current plan' }),
    ).toBeDisabled();
    await expect(
      planCard(page, 'Standard').getByRole('button', { name: 'Update your plan' }),
    ).toBeEnabled();
  };

  await test.step('sign in again to a license on trial', async () => {
    await signIn(page, user);
    await expectTrialOfProfessional();
  });

  await test.step('the notice about the trial is not shown again', async () => {
    await signOutLink(page).click();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    await expect(page.getByText('Your trial has started')).toBeHidden();
    await signIn(page, user);
    await expectTrialOfProfessional();
  });

  await test.step('the license survives a restart', async () => {
    await server.restart();
    await page.goto('/vc-admin/dash');
    await expectTrialOfProfessional();
  });
});
