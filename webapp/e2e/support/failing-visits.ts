import { expect, type Page } from '@playwright/test';
import { signedIn } from './api';
import { newPerson } from './person';
import { planCard, professional, setPrices } from './plans';
import { fillRegistration } from './registration';
import { choice, fail, forgetCustomer, said, type Visit, visit } from './visit';

async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await visit(page, '/vc-admin/dash');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Plans, registration, dashboard and everything around them when something has gone wrong. */
export const failingVisits: readonly Visit[] = [
  {
    name: 'plans-failed',
    async open(page, house) {
      await fail(page, house, '/vc-admin/diy/config.json', 503);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await said(page, 'Please try again later!');
    },
  },
  {
    name: 'plans-no-customer',
    async open(page, house) {
      await signedIn(page.request);
      await forgetCustomer(page);
      await fail(page, house, '/vc-admin/user-diy/new-customer', 502);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await setPrices(page, professional);
      await planCard(page, 'Professional').getByRole('button').click();
      await said(page, 'The payment provider does not answer.');
    },
  },
  {
    name: 'regform-taken',
    async open(page, { guard }) {
      const { org } = await signedIn(page.request);
      await page.context().clearCookies();
      await visit(page, `/vc-admin/diy/regform?${choice}`);
      await fillRegistration(page, { ...newPerson(), org });
      guard.expect(400, '/vc-admin/signup');
      guard.expectLog(/Signing up failed/);
      await page.getByRole('button', { name: 'Submit' }).click();
      await expect(page.getByLabel('Organization')).toBeFocused();
    },
  },
  {
    name: 'regform-failed',
    async open(page, house) {
      await visit(page, `/vc-admin/diy/regform?${choice}`);
      await fillRegistration(page, newPerson());
      await fail(page, house, '/vc-admin/signup*', 503);
      await page.getByRole('button', { name: 'Submit' }).click();
      await said(page, 'The payment provider does not answer.');
    },
  },
  {
    name: 'sign-in-failed',
    async open(page, { guard }) {
      guard.expect(401, '/auth/login');
      guard.expectLog(/Signing in failed/);
      await signInAs(page, 'nobody@harbour.example', 'Tide-And-Time-7');
      await expect(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'sign-in-errors',
    async open(page) {
      await signInAs(page, '', '');
      await said(page, 'email is required');
    },
  },
  {
    name: 'verification-failed',
    async open(page) {
      await visit(page, '/vc-admin/dash?verified=0');
      await said(page, 'This link is unknown or too old');
    },
  },
  {
    name: 'dashboard-failed',
    async open(page, house) {
      await signedIn(page.request);
      await fail(page, house, '/vc-admin/org/customer', 502);
      await visit(page, '/vc-admin/dash');
      await said(page, 'Please try again later!');
    },
  },
  { name: 'not-found', open: (page) => visit(page, '/vc-admin/diy/nowhere') },
  {
    name: 'script-lost',
    async open(page, house) {
      await fail(page, house, '/assets/ContactScreen-*', 404);
      house.guard.expectLog(/./); // the browser's own words for a script that is none
      await visit(page, '/vc-admin/diy/contact');
      await said(page, 'ChunkLoadError');
    },
  },
];
