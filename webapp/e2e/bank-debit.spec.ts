import type { Page } from '@playwright/test';
import { getLicenses } from './support/api';
import { advanceClock, readEmail, verificationLink } from './support/dev';
import { freePort } from './support/free-port';
import { openPaymentBanner } from './support/open-payment';
import { subscribe } from './support/payment';
import { choosePlan, standard } from './support/plans';
import { register } from './support/registration';
import { Server } from './support/server';
import { signIn } from './support/session';
import { expect, testWithServer } from './support/test';
import { newUser } from './support/user';

/** A test with the provider of testdata/consumers/bankdebit, which only moves money. */
const test = testWithServer(async () => {
  const addr = `127.0.0.1:${await freePort()}`;
  const sandbox = `127.0.0.1:${await freePort()}`;
  const settings = {
    DIY_ADDR: addr,
    DIY_PUBLIC_URL: `http://${addr}`, // where the provider's page returns to
    DIY_PAYMENTS: 'bankdebit',
    DIY_BANKDEBIT_URL: `http://${sandbox}`,
    DIY_BANKDEBIT_SANDBOX_ADDR: sandbox,
    DIY_BANKDEBIT_ACCESS_TOKEN: 'token of the test',
    DIY_BANKDEBIT_WEBHOOK_SECRET: 'secret of the test',
  };
  return Server.start(settings, 'bankdebit');
});

const onItsWay = (page: Page) => page.getByText('Your payment is on its way').first();

const expectStatus = (page: Page, status: string) =>
  expect.poll(async () => (await getLicenses(page.request)).license?.raw.status).toBe(status);

/** Chooses an account on the provider's page, which returns to the application. */
async function choose(page: Page, account: string) {
  await expect(page.getByRole('heading', { name: 'Bank Debit' })).toBeVisible();
  await page.getByRole('button', { name: `Account that ${account}` }).click();
  await page.waitForURL('**/vc-admin/diy/**');
}

test('a debit fails days after the trial, and is recovered from another account', async ({
  page,
}) => {
  const user = newUser();

  await test.step('start a trial from the plans page and grant a mandate', async () => {
    await page.goto('/vc-admin/diy/plans?debug=true');
    await choosePlan(page, standard, 'Start your free trial');
    await register(page, user);
    await page.goto(await verificationLink(page.request, user.email));
    await signIn(page, user);
    await page.getByRole('link', { name: 'Go on to payment' }).click();
    await subscribe(page);
    await expect(page.getByText('Set up a direct debit.')).toBeVisible();
    await choose(page, 'runs empty');
    await expect(page.getByRole('heading', { name: 'Your free trial has started' })).toBeVisible();
    await expectStatus(page, 'trialing');
  });

  await test.step('the debit at the end of the trial is on its way', async () => {
    await advanceClock(page.request, '169h');
    await expectStatus(page, 'active');
    await page.goto('/vc-admin/dash');
    await expect(onItsWay(page)).toBeVisible();
    await page.goto('/vc-admin/diy/billing');
    await expect(onItsWay(page)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Pay now' })).toHaveCount(0);
  });

  await test.step('it fails three days later', async () => {
    await advanceClock(page.request, '73h');
    const { text } = await readEmail(page.request, user.email, /^Payment failed: \$420 AUD$/);
    expect(text).toContain('insufficient funds');
    await expectStatus(page, 'past_due');
    await page.goto('/vc-admin/dash');
    await openPaymentBanner(page).getByRole('link', { name: 'Pay now' }).click();
  });

  await test.step('pay from another account on the page', async () => {
    await page.getByRole('radio', { name: 'Another payment method' }).check();
    await page.getByRole('button', { name: 'Pay $420 AUD' }).click();
    await expect(page.getByText('Pay $420 by direct debit.')).toBeVisible();
    await choose(page, 'pays');
    await expect(onItsWay(page)).toBeVisible();
    await advanceClock(page.request, '73h');
    await readEmail(page.request, user.email, /^Payment received: \$420 AUD/);
    await expectStatus(page, 'active');
    await page.goto('/vc-admin/diy/invoices');
    await expect(page.getByRole('row').getByText('Paid', { exact: true })).toHaveCount(1);
  });
});
