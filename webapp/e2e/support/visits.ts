import { expect, type Page, request as requests } from '@playwright/test';
import { signedIn, signUp } from './api';
import { billingVisits } from './billing-visits';
import { verificationLink } from './dev';
import { newPerson } from './person';
import { choosePlan, standard } from './plans';
import { register } from './registration';
import { afterTrial, choice, onTrial, type Visit, visit } from './visit';

/** The page that the link of a verification email leads to in another browser. */
async function openConfirmation(page: Page, baseURL: string) {
  const person = newPerson();
  const elsewhere = await requests.newContext({ baseURL });
  await signUp(elsewhere, person);
  await elsewhere.dispose();
  await visit(page, await verificationLink(page.request, person.email));
  await expect(page.getByText(person.org)).toBeVisible();
}

/** Every screen, in every state that looks different. */
export const visits: readonly Visit[] = [
  { name: 'plans', open: (page) => visit(page, '/vc-admin/diy/plans?debug=true') },
  { name: 'plans-closed', open: (page) => visit(page, '/vc-admin/diy/plans') },
  {
    name: 'contact',
    open: (page) => visit(page, '/vc-admin/diy/contact?product=enterprise&interval=yearly'),
  },
  { name: 'regform', open: (page) => visit(page, `/vc-admin/diy/regform?${choice}`) },
  {
    name: 'regform-errors',
    async open(page) {
      await visit(page, `/vc-admin/diy/regform?${choice}`);
      await page.getByRole('button', { name: 'Submit' }).click();
      await expect(page.getByText('First name is required')).toBeVisible();
    },
  },
  {
    name: 'registered',
    async open(page) {
      await visit(page, `/vc-admin/diy/regform?${choice}`);
      await register(page, newPerson());
    },
  },
  {
    name: 'confirm-registration',
    async open(page, { server }) {
      await openConfirmation(page, server.url);
    },
  },
  {
    name: 'confirm-registration-password',
    async open(page, { server }) {
      await openConfirmation(page, server.url);
      await page.getByRole('button', { name: 'Yes, this is me' }).click();
      await page.getByRole('button', { name: 'Confirm', exact: true }).click();
      await expect(page.getByText('Password is required')).toBeVisible();
    },
  },
  {
    name: 'confirm-registration-deleted',
    async open(page, { server }) {
      await openConfirmation(page, server.url);
      await page.getByRole('button', { name: 'I did not register' }).click();
      await expect(
        page.getByRole('heading', { name: 'The registration was deleted' }),
      ).toBeVisible();
    },
  },
  {
    name: 'forgot',
    async open(page) {
      await visit(page, '/vc-admin/auth/forgot');
      await page.getByLabel('Email').fill('nobody@clinic.example');
      await page.getByRole('button', { name: 'Send the link' }).click();
      await expect(page.getByText('Please check your inbox')).toBeVisible();
    },
  },
  {
    name: 'reset',
    async open(page) {
      await visit(page, '/vc-admin/auth/reset?token=guess');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('Password policy not followed', { exact: false })).toBeVisible();
    },
  },
  { name: 'reset-unknown', open: (page) => visit(page, '/vc-admin/auth/reset') },
  { name: 'dashboard-signed-out', open: (page) => visit(page, '/vc-admin/dash') },
  {
    name: 'dashboard-new',
    async open(page) {
      await signedIn(page.request);
      await visit(page, '/vc-admin/dash');
      await expect(page.getByRole('link', { name: /Go on to payment/ })).toBeVisible();
    },
  },
  {
    name: 'dashboard-trial',
    async open(page) {
      await onTrial(page);
      await visit(page, '/vc-admin/dash');
      await expect(page.getByText('in-trial')).toBeVisible();
    },
  },
  {
    name: 'plans-licensed',
    async open(page) {
      await onTrial(page);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await expect(page.getByRole('button', { name: 'Your current plan' })).toBeVisible();
    },
  },
  {
    name: 'payment',
    async open(page) {
      await signedIn(page.request);
      await visit(page, `/vc-admin/diy/payment?${choice}`);
      await expect(page.getByLabel('Card number')).toBeVisible();
    },
  },
  {
    name: 'confirm',
    async open(page) {
      await onTrial(page);
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await choosePlan(page, standard, 'Update your plan');
      await expect(page.getByText('CHANGING TO')).toBeVisible();
      await expect(page.getByText('•••• 4242')).toBeVisible();
    },
  },
  {
    name: 'cards',
    async open(page) {
      await onTrial(page);
      await visit(page, '/vc-admin/diy/cards');
      await expect(page.getByText('•••• 4242')).toBeVisible();
    },
  },
  // These move the server's clock, so they come last: the others show dates of today.
  {
    name: 'payment-no-trial',
    async open(page) {
      await afterTrial(page);
      await visit(page, `/vc-admin/diy/payment?${choice}`);
      await expect(page.getByText('Your subscription will start now.')).toBeVisible();
    },
  },
  {
    name: 'dashboard-ended',
    async open(page) {
      await afterTrial(page);
      await visit(page, '/vc-admin/dash');
    },
  },
  ...billingVisits,
];
