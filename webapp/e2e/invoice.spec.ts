import { getLicenses, signInNewUser } from './support/api';
import { subscribe } from './support/payment';
import { paymentPath } from './support/plans';
import { Server } from './support/server';
import { expect, testWithServer } from './support/test';

const test = testWithServer(() => Server.start({ DIY_PAYMENTS: 'invoice' }));

test('a customer subscribes and pays by invoice', async ({ page, server }) => {
  await signInNewUser(page.request);
  await page.goto(paymentPath);
  await expect(page.getByRole('heading', { name: 'Pay by invoice' })).toBeVisible();
  await page.getByLabel('Email for invoices').fill('accounts@clinic.example');
  await page.getByLabel('Purchase order number').fill('PO 4711');
  await subscribe(page);

  await expect(page.getByRole('heading', { name: 'Subscription update, success!' })).toBeVisible();
  const howToPay = page.getByRole('region', { name: 'How to pay' });
  await expect(howToPay).toContainText('Account number');
  await expect(howToPay).toContainText('Amount$816.00 AUD');
  const reference = await howToPay
    .locator('dl > div')
    .filter({ hasText: 'Reference' })
    .getByRole('definition')
    .innerText();
  expect((await getLicenses(page.request)).license?.raw.status).toBe('trialing');

  await page.getByRole('link', { name: 'Go to your dashboard' }).click();
  await expect(page.getByRole('link', { name: /^Payment methods/ })).toBeHidden();
  await page.getByRole('link', { name: 'See how to pay' }).click();
  await expect(howToPay).toContainText(reference);

  await server.runCommand(
    ...['invoice', 'paid', '--number', reference, '--amount', '816', '--currency', 'AUD'],
    ...['--reference', 'transfer 1', '--reason', 'customer_request', '--ticket', 'T-1'],
  );
  await expect
    .poll(async () => {
      await page.goto('/vc-admin/dash');
      await expect(page.getByRole('region', { name: 'Professional' })).toBeVisible();
      return page.getByRole('link', { name: 'See how to pay' }).count();
    })
    .toBe(0);
});
