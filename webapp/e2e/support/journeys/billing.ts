import { expect } from '@playwright/test';
import { signedIn } from '../api';
import { advanceClock } from '../dev';
import { expectText, fail, hold, type Journey, onTrial, open, release, restore } from './journey';

const list = '/vc-admin/org/invoices/list';
const invoices = '/vc-admin/diy/invoices';
const details = '/vc-admin/diy/details';

/** Invoices and billing details of a customer. */
export const billingJourneys: readonly Journey[] = [
  {
    name: 'invoices before and during a trial',
    async run(page, context) {
      await signedIn(page.request);
      await hold(page, list);
      await open(page, invoices);
      await expectText(page, 'Loading your invoices...');
      await context.check('invoices-loading');
      await release(page, list);
      await fail(page, context, list, 502);
      await open(page, invoices);
      await expectText(page, 'Your invoices could not be loaded.');
      await context.check('invoices-failed');
      await restore(page, list);
      await open(page, invoices);
      await expectText(page, 'You have no invoices yet');
      await context.check('invoices-none');
    },
  },
  {
    name: 'invoices and billing details of a customer',
    async run(page, context) {
      await onTrial(page);
      await open(page, invoices);
      await expectText(page, /^Your first invoice comes on/);
      await context.show('invoices-first');
      await advanceClock(page.request, '169h');
      await open(page, invoices);
      await expect(page.getByRole('button', { name: /^PDF of invoice/ })).toBeVisible();
      await page.getByRole('checkbox', { name: 'Show invoices without a charge' }).check();
      await context.show('invoices');

      await open(page, details);
      await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
      await context.show('details');
      await page.getByLabel('Legal name').fill('');
      await page.getByLabel(/^ABN/).fill('51 824 753 557');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectText(page, 'This is not a valid ABN');
      await context.show('details-errors');
      await page.getByLabel('Legal name').fill('Harbour Clinic Pty Ltd');
      await page.getByLabel(/^ABN/).fill('51 824 753 556');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectText(page, 'Your next invoice has these details');
      await context.show('details-saved');
      await page.getByLabel('Country').selectOption('GB');
      await expect(page.getByLabel('Type of tax id')).toBeVisible();
      await context.check('details-tax-types');
      await page.getByLabel('Country').selectOption('US');
      await expectText(page, 'We have no tax id for this country');
      await context.check('details-no-tax-id');
    },
  },
  {
    name: 'billing details while they load and when they fail',
    async run(page, context) {
      await signedIn(page.request);
      await hold(page, '/vc-admin/org/billing/details');
      await open(page, details);
      await expectText(page, 'Loading your billing details...');
      await context.check('details-loading');
      await release(page, '/vc-admin/org/billing/details');
      await fail(page, context, '/vc-admin/org/billing/details', 502);
      await open(page, details);
      await expectText(page, 'Your billing details could not be loaded.');
      await context.check('details-failed');
      await restore(page, '/vc-admin/org/billing/details');
      await open(page, details);
      await fail(page, context, '/vc-admin/org/billing/edit', 502);
      await page.getByLabel('Legal name').fill('Harbour Clinic Pty Ltd');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectText(page, 'The payment provider does not answer.');
      await context.check('details-not-saved');
    },
  },
];
