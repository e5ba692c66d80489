import { expect } from '@playwright/test';
import { signInNewUser, signInOnTrial } from '../api';
import { advanceClock } from '../dev';
import {
  abandonRequests,
  editResponses,
  failRequests,
  restoreRequests,
  stallRequests,
} from '../requests';
import { expectText, type Journey, openScreen } from './journey';

const listCallPath = '/vc-admin/org/invoices/list';
const detailsCallPath = '/vc-admin/org/billing/details';
const invoicesPath = '/vc-admin/diy/invoices';
const detailsPath = '/vc-admin/diy/details';

interface Invoice {
  id: string;
  number: string;
  status: string;
  description: string;
  lines: { description: string; amount: number; period: object }[];
  total: { amount: number };
  tax: { amount: number };
}

/** Replaces the listed invoices by one in each status, with a plan change, with a large amount and with a long text. */
function replaceInvoices(list: { data: Invoice[]; hasMore: boolean }): void {
  const paidInvoice = list.data.find(({ total }) => total.amount > 0) as Invoice;
  const period = paidInvoice.lines[0]?.period ?? {};
  const changeLines = [
    { description: 'Professional, monthly', amount: 7_600, period },
    { description: 'Unused time on Multi-User', amount: -123_456_789, period },
  ];
  const variants: Partial<Invoice>[] = [
    { status: 'open' },
    { status: 'draft' },
    { status: 'void' },
    { status: 'uncollectible', total: { ...paidInvoice.total, amount: 123_456_789 } },
    {
      lines: changeLines,
      total: { ...paidInvoice.total, amount: -123_449_189 },
      tax: { ...paidInvoice.tax, amount: 0 },
    },
    { description: 'Professional for all the consulting rooms of the practice' },
  ];
  list.data = variants.map((variant, index) => ({ ...paidInvoice, id: `in_${index}`, ...variant }));
  list.hasMore = true;
}

/** The screens of invoices and billing details. */
export const billingJourneys: readonly Journey[] = [
  {
    name: 'invoices before and during a trial',
    async run(page, context) {
      await signInNewUser(page.request);
      await stallRequests(page, listCallPath);
      await openScreen(page, invoicesPath);
      await expectText(page, 'Loading your invoices...');
      await context.show('invoices-loading');
      await abandonRequests(page, listCallPath);
      await failRequests(page, context, listCallPath, 502);
      await openScreen(page, invoicesPath);
      await expectText(page, 'Your invoices could not be loaded.');
      await context.show('invoices-failed');
      await restoreRequests(page, context, listCallPath);
      await openScreen(page, invoicesPath);
      await expectText(page, 'You have no invoices yet');
      await context.show('invoices-none');
    },
  },
  {
    name: 'invoices and billing details of a customer',
    async run(page, context) {
      await signInOnTrial(page);
      await openScreen(page, invoicesPath);
      await expectText(page, /^Your first invoice with a charge comes on/);
      await context.show('invoices-first');
      await advanceClock(page.request, '169h');
      await openScreen(page, invoicesPath);
      await expect(page.getByRole('button', { name: /^Download PDF of/ })).toBeVisible();
      await page.getByRole('checkbox', { name: 'Show invoices without a charge' }).check();
      await context.show('invoices');
      await page.getByRole('link', { name: /-0*2$/ }).click();
      await expectText(page, 'Payments');
      await context.show('invoice');
      await openScreen(page, invoicesPath);
      await failRequests(page, context, '/vc-admin/org/invoices/*/pdf', 502);
      await page
        .getByRole('button', { name: /^Download PDF of/ })
        .first()
        .click();
      await expectText(page, 'The invoice could not be downloaded');
      await context.show('invoices-no-document');
      await editResponses<{ data: Invoice[]; hasMore: boolean }>(
        page,
        listCallPath,
        replaceInvoices,
      );
      await openScreen(page, invoicesPath);
      await expectText(page, 'Cancelled');
      await context.show('invoices-many');
      await restoreRequests(page, context, listCallPath);
      await failRequests(page, context, listCallPath, 502);
      await page.getByRole('button', { name: 'Load more' }).click();
      await expectText(page, 'More invoices could not be loaded.');
      await context.show('invoices-no-more');
      await restoreRequests(page, context, listCallPath);

      await openScreen(page, detailsPath);
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
      await context.show('details-tax-types');
      await page.getByLabel('Country').selectOption('US');
      await expectText(page, 'We have no tax id for this country');
      await context.show('details-no-tax-id');
    },
  },
  {
    name: 'billing details while they load and when they fail',
    async run(page, context) {
      await signInNewUser(page.request);
      await stallRequests(page, detailsCallPath);
      await openScreen(page, detailsPath);
      await expectText(page, 'Loading your billing details...');
      await context.show('details-loading');
      await abandonRequests(page, detailsCallPath);
      await failRequests(page, context, detailsCallPath, 502);
      await openScreen(page, detailsPath);
      await expectText(page, 'Your billing details could not be loaded.');
      await context.show('details-failed');
      await restoreRequests(page, context, detailsCallPath);
      await openScreen(page, detailsPath);
      await failRequests(page, context, '/vc-admin/org/billing/edit', 502);
      await page.getByLabel('Legal name').fill('Harbour Clinic Pty Ltd');
      await page.getByRole('button', { name: 'Save' }).click();
      await expectText(page, 'The payment provider does not answer.');
      await context.show('details-not-saved');
    },
  },
];
