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
    await expect(page.getByLabel(/^ABN/)).toHaveValue('51 824 753 556');
    await expect(page.getByLabel('Legal name')).toHaveValue('Harbour Clinic Pty Ltd');
  });

  await advanceClock(page.request, '169h');

  await test.step('the invoice is listed and downloaded', async () => {
    await page.goto('/vc-admin/diy/invoices');
    const rows = page.getByRole('list', { name: /^Your invoices/ }).getByRole('listitem');
    const row = rows.filter({ hasText: '$816 AUD' });
    await expect(row).toContainText('Professional');
    await expect(row).toContainText('Paid');
    await expect(rows).toHaveCount(1);
    await page.getByRole('checkbox', { name: 'Show invoices without a charge' }).check();
    await expect(rows).toHaveCount(2);
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: /^Download PDF of/ }).press('Enter');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^invoice-.+\.pdf$/);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

    const archive = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PDFs' }).click();
    expect((await archive).suggestedFilename()).toBe('invoices.zip');
    const bytes = await readFile(await (await archive).path());
    expect(bytes.toString('latin1').match(/%PDF-/g)).toHaveLength(2);

    expect((await row.boundingBox())?.height).toBeLessThan(60);
    await row.click({ position: { x: 8, y: 8 } });
    await expect(page.getByRole('heading', { name: /^Tax invoice|^Invoice/ })).toBeVisible();
    const csv = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Download CSV of/ }).click();
    expect((await readFile(await (await csv).path())).toString()).toMatch(
      /,Total,,,,AUD,816\.00\r\n/,
    );
  });
});
