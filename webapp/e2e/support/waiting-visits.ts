import { expect } from '@playwright/test';
import { signedIn } from './api';
import { newPerson } from './person';
import { planCard, professional, setPrices } from './plans';
import { fillRegistration } from './registration';
import { choice, forgetCustomer, hold, loading, type Visit, visit } from './visit';

/** Plans, contact, registration and dashboard while they wait for something. */
export const waitingVisits: readonly Visit[] = [
  {
    name: 'plans-loading',
    async open(page) {
      await hold(page, '/vc-admin/user/detail');
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await loading(page);
    },
  },
  {
    name: 'plans-busy',
    async open(page) {
      await signedIn(page.request);
      await forgetCustomer(page);
      await hold(page, '/vc-admin/user-diy/new-customer');
      await visit(page, '/vc-admin/diy/plans?debug=true');
      await setPrices(page, professional);
      await planCard(page, 'Professional').getByRole('button').click();
      await expect(planCard(page, 'Professional').getByRole('button')).toBeDisabled();
    },
  },
  {
    name: 'contact-loading',
    async open(page) {
      await hold(page, '/vc-admin/diy/config.json');
      await visit(page, '/vc-admin/diy/contact');
      await loading(page);
    },
  },
  {
    name: 'regform-busy',
    async open(page) {
      await visit(page, `/vc-admin/diy/regform?${choice}`);
      await fillRegistration(page, newPerson());
      await hold(page, '/vc-admin/signup*');
      await page.getByRole('button', { name: 'Submit' }).click();
      await expect(page.getByRole('button', { name: 'Signing up...' })).toBeVisible();
    },
  },
  {
    name: 'dashboard-loading',
    async open(page) {
      await hold(page, '/vc-admin/user/detail');
      await page.goto('/vc-admin/dash');
      await loading(page);
    },
  },
  {
    name: 'sign-in-busy',
    async open(page) {
      await hold(page, '/auth/login*');
      await visit(page, '/vc-admin/dash');
      await page.getByLabel('Email').fill('mara@harbour.example');
      await page.getByLabel('Password', { exact: true }).fill('Tide-And-Time-7');
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeDisabled();
    },
  },
];
