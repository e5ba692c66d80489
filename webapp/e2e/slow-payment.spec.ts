import type { Page } from '@playwright/test';
import { getLicenses } from './support/api';
import { advanceClock, readEmail } from './support/dev';
import { buyWithBankAccount, openPaymentBanner } from './support/open-payment';
import { bankAccounts, cards, fillCard, processingNotice } from './support/payment';
import { paymentPath, planCard } from './support/plans';
import { expect, test } from './support/test';

/** Pays on the pay screen with a new card. */
async function payByCard(page: Page) {
  const otherCard = page.getByRole('radio', { name: /^(Another|A new) card$/ });
  await otherCard.or(page.getByLabel('Card number')).first().waitFor();
  if (await otherCard.isVisible()) await otherCard.check();
  await fillCard(page, cards.valid);
  await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
}

test('a purchase whose bank debit fails days later is paid by card', async ({ page }) => {
  const user = await buyWithBankAccount(page, bankAccounts.failsAfterThreeDays);

  await test.step('no screen asks for the payment again', async () => {
    for (const path of ['dash', 'diy/cards', 'diy/pay']) {
      await page.goto(`/vc-admin/${path}`);
      await expect(processingNotice(page), path).toBeVisible();
      await expect(page.getByRole('link', { name: /^Pay(?!ment methods)/ })).toHaveCount(0);
      await expect(page.getByRole('button', { name: /^Pay(?!ment methods)/ })).toHaveCount(0);
    }
    await page.goto('/vc-admin/diy/invoices');
    await expect(page.getByRole('list', { name: /^Your invoices/ })).toContainText('On its way');
    await page.goto(paymentPath);
    await expect(processingNotice(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Subscribe' })).toHaveCount(0);
  });

  await test.step('the plan buttons say why they are disabled, and when the payment is expected', async () => {
    await page.goto('/vc-admin/diy/plans?debug=true');
    for (const plan of ['Standard', 'Professional']) {
      const button = planCard(page, plan).getByRole('button');
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(button).toHaveAccessibleDescription(
        /Your payment of \$816 AUD is on its way, .* It is expected by \d+ [A-Z]\w+ \d{4}\./,
      );
    }
  });

  await test.step('the failure is reported', async () => {
    await advanceClock(page.request, '73h');
    const { text } = await readEmail(page.request, user.email, /^Payment failed: \$816 AUD$/);
    expect(text).toContain('Your bank account has insufficient funds.');
    await page.goto('/vc-admin/dash');
    await expect(page.getByText('Your first payment has not been made yet')).toBeVisible();
    await expect(openPaymentBanner(page)).toHaveCount(0);
  });

  await page.getByRole('link', { name: 'Pay $816 AUD' }).click();
  await payByCard(page);
  await expect(page.getByRole('heading', { name: 'Your subscription has started' })).toBeFocused();
  expect((await getLicenses(page.request)).license?.raw.status).toBe('active');
});

test('a bank debit that is returned after ten days is paid again by card', async ({ page }) => {
  const user = await buyWithBankAccount(page, bankAccounts.returnsAfterTenDays);
  await advanceClock(page.request, '73h');
  await readEmail(page.request, user.email, /^Payment received: \$816 AUD/);
  await page.goto('/vc-admin/dash');
  await expect(page.getByText('active', { exact: true })).toBeVisible();
  await expect(processingNotice(page)).toBeHidden();

  await advanceClock(page.request, '168h');
  const { text } = await readEmail(page.request, user.email, /^Payment returned: \$816 AUD/);
  expect(text).toContain('We will not try again automatically.');
  const returnDate = text.match(
    /^Your bank returned your payment of .* on (\d+ \w+ \d{4})\./m,
  )?.[1];
  await page.goto('/vc-admin/diy/invoices');
  await page.getByRole('link', { name: /-0*3$/ }).click();
  await expect(page.getByRole('term').filter({ hasText: 'Returned by your bank' })).toContainText(
    `${returnDate}`,
  );
  await page.goto('/vc-admin/dash');
  await expect(page.getByRole('region', { name: 'Professional' })).toContainText(
    `Payment overdue$816 AUDYour bank returned the payment on ${returnDate}`,
  );
  await page.getByRole('link', { name: 'Pay now' }).click();
  for (const text of ['from bank account ••••', `on ${returnDate}: Your bank account has`]) {
    await expect(page.getByText(/^Your bank returned the payment from/)).toContainText(text);
  }
  await expect(page.getByText(/declined|did not go through/)).toHaveCount(0);
  await payByCard(page);
  await expect(page.getByRole('heading', { name: 'Your invoice is paid' })).toBeFocused();
  expect((await getLicenses(page.request)).license?.raw.status).toBe('active');
});
