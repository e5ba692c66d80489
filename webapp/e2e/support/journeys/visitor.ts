import { expect, type Page, request } from '@playwright/test';
import { signInNewUser, signUp } from '../api';
import { verificationLink } from '../dev';
import { registrationPath } from '../plans';
import { fillRegistration } from '../registration';
import { abandonRequests, failRequests, restoreRequests, stallRequests } from '../requests';
import { submitSignIn } from '../session';
import { newUser } from '../user';
import { expectText, type Journey, openScreen } from './journey';

/** Registers a user in another browser and opens the link of the verification email. */
async function openVerification(page: Page, baseURL: string): Promise<void> {
  const user = newUser();
  const otherBrowser = await request.newContext({ baseURL });
  await signUp(otherBrowser, user);
  await otherBrowser.dispose();
  await openScreen(page, await verificationLink(page.request, user.email));
  await expect(page.getByText(user.org)).toBeVisible();
}

const submitForm = (page: Page) => page.getByRole('button', { name: 'Submit' }).click();

const unknownUser = { email: 'nobody@harbour.example', password: 'Tide-And-Time-7' };

/** The screens of a visitor. */
export const visitorJourneys: readonly Journey[] = [
  {
    name: 'plans of a visitor',
    async run(page, context) {
      await stallRequests(page, '/vc-admin/user/detail');
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expectText(page, 'Loading...');
      await context.show('plans-loading');
      await abandonRequests(page, '/vc-admin/user/detail');

      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expect(page.getByRole('radio', { name: 'AUD' })).toBeChecked();
      await context.show('plans');
      await openScreen(page, '/vc-admin/diy/plans');
      await expectText(page, 'This is a preview');
      await context.show('plans-closed');

      await failRequests(page, context, '/vc-admin/diy/config.json', 503);
      await openScreen(page, '/vc-admin/diy/plans?debug=true');
      await expectText(page, 'Please try again later!');
      await context.show('plans-failed');
    },
  },
  {
    name: 'contact, unknown paths and the sign-in form in place of a screen',
    async run(page, context) {
      await openScreen(page, '/vc-admin/diy/contact?product=enterprise&interval=yearly');
      await expectText(page, 'For Enterprise solutions');
      await context.show('contact');
      await openScreen(page, '/vc-admin/diy/contact');
      await expectText(page, 'Send your query to us');
      await context.show('contact-no-plan');
      await openScreen(page, '/vc-admin/diy/nowhere');
      await context.show('not-found');
      await openScreen(page, '/vc-admin/diy/invoices');
      await expectText(page, 'This page is for customers');
      await context.show('invoices-signed-out');
      await failRequests(page, context, '/assets/ForgotScreen-*', 404);
      await openScreen(page, '/vc-admin/auth/forgot');
      await expectText(page, 'ChunkLoadError');
      await context.show('chunk-load-error');
    },
  },
  {
    name: 'registration form',
    async run(page, context) {
      await openScreen(page, registrationPath);
      await expect(page.getByLabel('First name')).toBeVisible();
      await context.show('regform');
      await openScreen(page, registrationPath);
      await submitForm(page);
      await expectText(page, 'First name is required');
      await context.show('regform-errors');
    },
  },
  {
    name: 'registration',
    async run(page, context) {
      await openScreen(page, registrationPath);
      await fillRegistration(page, newUser());
      await failRequests(page, context, '/vc-admin/signup*', 503);
      await submitForm(page);
      await expectText(page, 'The payment provider does not answer.');
      await context.show('regform-failed');
      await restoreRequests(page, context, '/vc-admin/signup*');
      await submitForm(page);
      await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
      await context.show('registered');

      await openScreen(page, registrationPath);
      await fillRegistration(page, newUser());
      await stallRequests(page, '/vc-admin/signup*');
      await submitForm(page);
      await expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible();
      await context.show('regform-busy');
    },
  },
  {
    name: 'registration with a taken organisation or email',
    async run(page, context) {
      const { org, email } = await signInNewUser(page.request);
      await page.context().clearCookies();
      await openScreen(page, registrationPath);
      await fillRegistration(page, { ...newUser(), org });
      context.guard.expect(400, '/vc-admin/signup');
      context.guard.expectLog(/Signing up failed/);
      await submitForm(page);
      await expect(page.getByLabel('Organization')).toBeFocused();
      await context.show('regform-taken');
      await fillRegistration(page, { ...newUser(), email });
      await submitForm(page);
      await expect(page.getByLabel('Email')).toBeFocused();
      await context.show('regform-email-taken');
    },
  },
  {
    name: 'verification in another browser',
    async run(page, context) {
      await openVerification(page, context.server.url);
      await context.show('confirm-registration');
      await page.getByRole('button', { name: 'Yes, this is me' }).click();
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await expectText(page, 'Password is required');
      await context.show('confirm-registration-password');
      await page.getByRole('button', { name: 'I did not register' }).click();
      await expect(
        page.getByRole('heading', { name: 'The registration was deleted' }),
      ).toBeVisible();
      await context.show('confirm-registration-deleted');
    },
  },
  {
    name: 'verification of replaced registrations, and of taken names and addresses',
    async run(page, context) {
      const user = newUser();
      const browser = await request.newContext({ baseURL: context.server.url });
      const mistypedUser = { ...user, email: `x${user.email}` };
      await signUp(browser, mistypedUser);
      // The server drops the email of a replaced registration if it was not sent yet.
      const replacedLink = await verificationLink(browser, mistypedUser.email);
      await signUp(browser, user);
      const link = await verificationLink(browser, user.email);
      const sameName = { ...newUser(), org: user.org };
      await signUp(page.request, sameName);
      await signUp(page.request, { ...newUser(), email: user.email });
      const sameEmailLink = await verificationLink(page.request, user.email, link);
      await openScreen(page, replacedLink);
      await expectText(page, 'This registration was replaced');
      await context.show('confirm-registration-replaced');

      await browser.get(link);
      await browser.dispose();
      await openScreen(page, await verificationLink(page.request, sameName.email));
      await expectText(page, 'This name is taken');
      await context.show('confirm-registration-name-taken');
      await openScreen(page, sameEmailLink);
      await expectText(page, 'This address has an account');
      await context.show('confirm-registration-email-taken');
    },
  },
  {
    name: 'password reset',
    async run(page, context) {
      await openScreen(page, '/vc-admin/auth/forgot');
      await context.show('forgot');
      await page.getByLabel('Email').fill('nobody@clinic.example');
      await page.getByRole('button', { name: 'Send the link' }).click();
      await expectText(page, 'Please check your inbox');
      await context.show('forgot-sent');
      await openScreen(page, '/vc-admin/auth/reset?token=guess');
      await context.show('reset');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expectText(page, /Password policy not followed/);
      await context.show('reset-errors');
      await openScreen(page, '/vc-admin/auth/reset');
      await context.show('reset-unknown');
    },
  },
  {
    name: 'sign-in',
    async run(page, context) {
      await stallRequests(page, '/vc-admin/user/detail');
      await page.goto('/vc-admin/dash');
      await expectText(page, 'Loading...');
      await context.show('sign-in-loading');
      await abandonRequests(page, '/vc-admin/user/detail');

      await openScreen(page, '/vc-admin/dash');
      await expect(page.getByLabel('Email')).toBeVisible();
      await context.show('dashboard-signed-out');
      await submitSignIn(page, { email: '', password: '' });
      await expectText(page, 'email is required');
      await context.show('sign-in-errors');
      context.guard.expect(401, '/auth/login');
      context.guard.expectLog(/Signing in failed/);
      await submitSignIn(page, unknownUser);
      await expect(page.getByRole('alert')).toBeVisible();
      await context.show('sign-in-failed');
      await stallRequests(page, '/auth/login*');
      await submitSignIn(page, unknownUser);
      await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeDisabled();
      await context.show('sign-in-busy');
      await openScreen(page, '/vc-admin/dash?verified=1');
      await expectText(page, 'Your email address is verified');
      await context.show('verified');
      await openScreen(page, '/vc-admin/dash?verified=0');
      await expectText(page, 'This link is unknown or too old');
      await context.show('verification-failed');
    },
  },
];
