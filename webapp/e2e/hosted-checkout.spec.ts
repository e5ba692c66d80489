import type { Page } from '@playwright/test';
import { waitForAnimations } from './support/animations';
import { getLicenses, signInNewUser, startTrialWithMethod } from './support/api';
import { injectAxe, violations } from './support/axe';
import { confirm, goToConfirm } from './support/confirm';
import { advanceClock } from './support/dev';
import { layoutProblems } from './support/layout';
import { subscribe } from './support/payment';
import { professional, standard } from './support/plans';
import { goToFirstPayment } from './support/registration';
import { freeAddress, Server } from './support/server';
import { signIn } from './support/session';
import { expect, testWithServer } from './support/test';
import { newUser } from './support/user';

/** A test with the provider of testdata/consumers/hostedcheckout. */
const test = testWithServer(async () => {
  const addr = await freeAddress();
  const settings = {
    DIY_ADDR: addr,
    DIY_PAYMENTS: 'hosted',
    DIY_HOSTED_ADDR: await freeAddress(),
  };
  return Server.start(settings, 'hostedcheckout');
});

const bankAccount = 'Bank account ••42';

type ProviderButton = 'Pay' | 'Save' | 'Decline' | 'Cancel';

/** Presses a button of the provider's page and waits for the return to the screen. */
async function pressOnProviderPage(page: Page, button: ProviderButton, screen: 'pay' | 'cards') {
  await expect(page.getByRole('heading', { name: 'Hosted Pay' })).toBeVisible();
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(`**/vc-admin/diy/${screen}*`);
}

/** Expects no layout problems at 375 and 1280 pixels, and no violations of axe's rules. */
async function expectAccessible(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await layoutProblems(page)).toEqual([]);
  }
  await injectAxe(page);
  await waitForAnimations(page); // the contrast of a button is measured after its transition
  expect(await violations(page)).toEqual([]);
}

test('invoices after a trial are charged to the method that was saved on the provider’s page', async ({
  page,
}) => {
  const user = newUser();
  const bankAccountItems = page.getByRole('listitem').filter({ hasText: 'Bank account' });

  await test.step('register, sign in and go to the payment', async () => {
    await goToFirstPayment(page, user, standard);
    const heading = 'Choose how to pay on the next page';
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('start the trial, and return without saving a method', async () => {
    await subscribe(page);
    await expect(page.getByText('Save your bank account. Nothing is charged now')).toBeVisible();
    await pressOnProviderPage(page, 'Cancel', 'pay');
    await expect(page.getByRole('heading', { name: 'Your free trial has started' })).toBeVisible();
    await expect(page.getByText('You have not saved a payment method yet.')).toBeVisible();
    await expectAccessible(page);
    expect((await getLicenses(page.request)).license?.raw.status).toBe('trialing');
  });

  await test.step('come back to the cards screen without saving a method', async () => {
    await page.getByRole('link', { name: 'Add a payment method' }).click();
    await expect(page.getByText('No records found')).toBeVisible();
    await page.getByRole('button', { name: 'Add a payment method' }).press('Enter');
    await pressOnProviderPage(page, 'Cancel', 'cards');
    await expect(page.getByText('No new payment method yet')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('save a method from the cards screen by keyboard', async () => {
    await page.getByRole('button', { name: 'Add a payment method' }).press('Enter');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.waitForURL('**/vc-admin/diy/cards*');
    const addedMessage = `${bankAccount} was added and is your default payment method now.`;
    await expect(page.getByText(addedMessage)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Saved payment methods' })).toBeFocused();
    await expect(bankAccountItems).toHaveCount(1);
    await expect(page).not.toHaveURL(/returned/);
    await expectAccessible(page);
  });

  await test.step('the first invoice after the trial is charged to the saved method', async () => {
    await advanceClock(page.request, '192h');
    expect((await getLicenses(page.request)).license?.raw.status).toBe('active');
  });

  await test.step('change the plan, charged to the method', async () => {
    await goToConfirm(page, professional);
    await confirm(page);
    await page.waitForURL('**/vc-admin/dash');
    await signIn(page, user);
  });

  await test.step('renew in a year, charged to the method', async () => {
    await advanceClock(page.request, '8790h');
    await page.goto('/vc-admin/diy/invoices?debug=true');
    await expect(page.getByRole('listitem').getByText('Paid', { exact: true })).toHaveCount(3);
    await page.goto('/vc-admin/dash?debug=true');
    await expect(page.getByRole('region', { name: 'Payment method' })).toContainText(bankAccount);
  });
});

test('an invoice after a trial without a payment method is paid on the provider’s page', async ({
  page,
}) => {
  await test.step('end a trial without a payment method', async () => {
    await signInNewUser(page.request);
    await startTrialWithMethod(page.request, '');
    await advanceClock(page.request, '192h');
    expect((await getLicenses(page.request)).license?.raw.status).toBe('past_due');
  });

  await test.step('return without paying, and again after a decline', async () => {
    await page.goto('/vc-admin/diy/pay?debug=true');
    await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
    await expect(page.getByText('Pay $816 from your bank account.')).toBeVisible();
    await pressOnProviderPage(page, 'Cancel', 'pay');
    await expect(page.getByText('Checking your payment...')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('Your payment has not arrived yet');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
    await pressOnProviderPage(page, 'Decline', 'pay');
    await expect(page.getByRole('alert')).toContainText(
      'Your bank declined the payment. Nothing was charged.',
    );
    expect((await getLicenses(page.request)).license?.raw.status).toBe('past_due');
  });

  await test.step('pay, which saves the bank account', async () => {
    await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
    await pressOnProviderPage(page, 'Pay', 'pay');
    await expect(page.getByRole('heading', { name: 'Your payment is complete' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to your dashboard' }).click();
    expect((await getLicenses(page.request)).license?.raw.status).toBe('active');
    await page.getByRole('link', { name: /^Payment methods/ }).click();
    await expect(page.getByRole('listitem').filter({ hasText: bankAccount })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add card' })).toBeHidden();
  });
});
