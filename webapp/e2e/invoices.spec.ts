import { readFile } from 'node:fs/promises';
import { signInOnTrial } from './support/api';
import { advanceClock } from './support/dev';
import { expect, test } from './support/test';

test('billing details are saved by keyboard, and the next invoice can be downloaded', async ({
  page,
}) => {
  await signInOnTrial(page);

  await test.step('the list announces the first invoice', async () => {
    await page.goto('/vc-admin/diy/invoices');
    await expect(page).toHaveTitle(/^Invoices/);
    await expect(page.getByText(/^Your first invoice with a charge comes on/)).toBeVisible();
  });

  await test.step('billing details are corrected and saved by keyboard', async () => {
    await page.goto('/vc-admin/diy/details');
    await expect(page).toHaveTitle(/^Billing details/);
    await expect(page.getByLabel('State/Province')).toHaveValue('New South Wales');
    const { keyboard } = page;
    await page.getByLabel('Legal name').focus();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('Harbour Clinic Pty Ltd');
    await page.getByLabel(/^ABN/).focus();
    await keyboard.type('51 824 753 557');
    await keyboard.press('Enter');
    await expect(page.getByText('This is not a valid ABN')).toBeVisible();
    await expect(page.getByLabel(/^ABN/)).toBeFocused();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('51 824 753 556');
    await keyboard.press('Enter');
    await expect(page.getByText('Your next invoice has these details.')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel(/^ABN/)).toHaveValue('51824753556');
    await expect(page.getByLabel('Legal name')).toHaveValue('Harbour Clinic Pty Ltd');
  });

  await advanceClock(page.request, '169h');

  await test.step('the invoice is listed and downloaded', async () => {
    await page.goto('/vc-admin/diy/invoices');
    const row = page.getByRole('row', { name: /\$816\.00 AUD/ });
    await expect(row).toContainText('Professional');
    await expect(row).toContainText('includes $74.18 GST');
    await expect(row).toContainText('Paid');
    await expect(page.getByRole('row')).toHaveCount(2);
    await page.getByRole('checkbox', { name: 'Show invoices without a charge' }).check();
    await expect(page.getByRole('row')).toHaveCount(3);
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: /^PDF of invoice/ }).press('Enter');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^invoice-.+\.pdf$/);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  });
});
