import { expect } from '@playwright/test';
import { expectStatus, getLicenses, signInNewUser } from '../api';
import { subscribe } from '../payment';
import { paymentPath } from '../plans';
import { expectText, type Journey, openScreen } from './journey';

/** The screens of a customer who pays by invoice. */
export const invoiceJourneys: readonly Journey[] = [
  {
    name: 'subscription paid by invoice',
    settings: { DIY_PAYMENTS: 'invoice', DIY_INVOICE_APPROVAL: 'required' },
    async run(page, context) {
      await signInNewUser(page.request);
      await openScreen(page, paymentPath);
      await expectText(page, 'Pay by invoice');
      await expectText(page, 'First invoice');
      await context.show('payment-invoice');
      context.guard.expect(400, '/vc-admin/org/billing/edit');
      await page.getByLabel('Email for invoices').fill('accounts');
      await subscribe(page);
      await expect(page.getByLabel('Email for invoices')).toHaveAttribute('aria-invalid', 'true');
      await context.show('payment-invoice-errors');
      await page.getByLabel('Email for invoices').fill('accounts@clinic.example');
      await page.getByLabel('Purchase order number').fill('PO 4711');
      await subscribe(page);
      await expectText(page, 'Your order has been received');
      await context.show('payment-invoice-waiting');
      await openScreen(page, '/vc-admin/dash');
      await expectText(page, 'Your order for Professional is being checked');
      await context.show('dashboard-invoice-waiting');
      await openScreen(page, paymentPath);
      await page.getByRole('button', { name: 'Withdraw the order' }).click();
      await expectText(page, 'Pay by invoice');
      await subscribe(page);
      await expectText(page, 'Your order has been received');

      const { orgId } = await getLicenses(page.request);
      await context.server.runCommand(
        ...['invoice', 'allow', '--org', orgId, '--reason', 'customer_request', '--ticket', 'T-1'],
      );
      await expectStatus(page.request, 'trialing');
      await openScreen(page, '/vc-admin/dash');
      await expect(page.getByRole('link', { name: 'See how to pay' })).toBeVisible();
      await context.show('dashboard-invoice');
      await openScreen(page, '/vc-admin/diy/pay');
      await expectText(page, 'Account number');
      await context.show('pay-invoice');
      await openScreen(page, '/vc-admin/diy/invoices');
      await expectText(page, 'To be paid');
      await context.show('invoices-invoice');
    },
  },
];
