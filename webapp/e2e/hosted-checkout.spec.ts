import { createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { getLicenses } from './support/api';
import { injectAxe, violations } from './support/axe';
import { confirm, goToConfirm } from './support/confirm';
import { advanceClock, verificationLink } from './support/dev';
import { layoutProblems } from './support/layout';
import { subscribe } from './support/payment';
import { choosePlan, professional, standard } from './support/plans';
import { register } from './support/registration';
import { Server } from './support/server';
import { signIn } from './support/session';
import { expect, testWithServer } from './support/test';
import { newUser } from './support/user';

/** A test with the provider of testdata/consumers/hostedcheckout. */
const test = testWithServer(async () => {
  const addr = `127.0.0.1:${await freePort()}`;
  const settings = {
    DIY_ADDR: addr,
    DIY_PUBLIC_URL: `http://${addr}`, // where the provider's page returns to
    DIY_PAYMENTS: 'hosted',
    DIY_HOSTED_ADDR: `127.0.0.1:${await freePort()}`,
  };
  return Server.start(settings, 'hostedcheckout');
});

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (!address || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

const bankAccount = 'Bank account ••42';

/** Presses a button of the provider's page and waits for the return to the application. */
async function pressOnProvidersPage(page: Page, button: 'Pay' | 'Decline' | 'Cancel') {
  await expect(page.getByRole('heading', { name: 'Hosted Pay' })).toBeVisible();
  await expect(page.getByRole('paragraph').first()).toContainText('Pay $420 from');
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL('**/vc-admin/diy/pay?returned=1');
}

/** Expects a screen without violations and layout problems at both widths. */
async function expectAccessible(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await layoutProblems(page)).toEqual([]);
  }
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
}

test('a plan is paid on the provider’s page, and later bills by the mandate', async ({ page }) => {
  const user = newUser();

  await test.step('register for a plan without a trial, and sign in', async () => {
    await page.goto('/vc-admin/diy/plans?debug=true');
    await choosePlan(page, standard, 'Subscribe');
    await register(page, user);
    await page.goto(await verificationLink(page.request, user.email));
    await signIn(page, user);
    await page.getByRole('link', { name: 'Go on to payment' }).click();
    await expect(page.getByRole('heading', { name: 'Pay on the next page' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('return without paying, and after a decline', async () => {
    await subscribe(page);
    await pressOnProvidersPage(page, 'Cancel');
    await expect(page.getByText('Checking your payment...')).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('Your payment has not arrived yet');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pay $420 AUD' }).click();
    await pressOnProvidersPage(page, 'Decline');
    await expect(page.getByRole('alert')).toContainText(
      'Your bank declined the payment. Nothing was charged.',
    );
    expect((await getLicenses(page.request)).license).toBeNull();
  });

  await test.step('pay, which saves the mandate', async () => {
    await page.getByRole('button', { name: 'Pay $420 AUD' }).click();
    await pressOnProvidersPage(page, 'Pay');
    await expect(page.getByRole('heading', { name: 'Your payment is complete' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to your dashboard' }).click();
    await expect(page.getByRole('main')).toContainText('Standard');
    expect((await getLicenses(page.request)).license?.raw.status).toBe('active');
    await page.getByRole('link', { name: /^Payment methods/ }).click();
    await expect(page.getByRole('listitem').filter({ hasText: bankAccount })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add card' })).toBeHidden();
    await expectAccessible(page);
  });

  await test.step('change the plan, charged to the mandate', async () => {
    await goToConfirm(page, professional);
    await confirm(page);
    await page.waitForURL('**/vc-admin/dash');
    await signIn(page, user);
  });

  await test.step('renew in a year, charged to the mandate', async () => {
    await advanceClock(page.request, '8790h');
    await page.goto('/vc-admin/diy/invoices?debug=true');
    await expect(page.getByRole('row').getByText('Paid', { exact: true })).toHaveCount(3);
    await page.goto('/vc-admin/diy/billing?debug=true');
    await expect(page.getByRole('region', { name: 'Payment method' })).toContainText(bankAccount);
  });
});
