import type { Page } from '@playwright/test';
import { expectStatus } from './support/api';
import { advanceClock, readEmail } from './support/dev';
import { processingNotice, subscribe } from './support/payment';
import { standard } from './support/plans';
import { goToFirstPayment } from './support/registration';
import { freeAddress, Server } from './support/server';
import { expect, testWithServer } from './support/test';
import { newUser } from './support/user';

/**
 * A test with the provider of testdata/consumers/bankdebit. The provider only collects payments; the server creates the
 * invoices.
 */
const test = testWithServer(async () => {
  const addr = await freeAddress();
  const sandboxAddr = await freeAddress();
  const settings = {
    DIY_ADDR: addr,
    DIY_PAYMENTS: 'bankdebit',
    DIY_BANKDEBIT_URL: `http://${sandboxAddr}`,
    DIY_BANKDEBIT_SANDBOX_ADDR: sandboxAddr,
    DIY_BANKDEBIT_ACCESS_TOKEN: 'token of the test',
    DIY_BANKDEBIT_WEBHOOK_SECRET: 'secret of the test',
  };
  return Server.start(settings, 'bankdebit');
});

/** Chooses the account with this behaviour on the provider's page, and returns to the application. */
async function chooseAccount(page: Page, behaviour: 'pays' | 'runs empty') {
  await expect(page.getByRole('heading', { name: 'Bank Debit' })).toBeVisible();
  await page.getByRole('button', { name: `Account that ${behaviour}` }).click();
  await page.waitForURL('**/vc-admin/diy/**');
}

test('the invoice after a trial is paid from another account after its first debit has failed', async ({
  page,
}) => {
  const user = newUser();

  await test.step('start a trial from the plans page and grant a mandate', async () => {
    await goToFirstPayment(page, user, standard);
    await subscribe(page);
    await expect(page.getByText('Set up a direct debit.')).toBeVisible();
    await chooseAccount(page, 'runs empty');
    await expect(page.getByRole('heading', { name: 'Your free trial has started' })).toBeVisible();
    await expectStatus(page.request, 'trialing');
  });

  await test.step('the debit at the end of the trial is shown as processing', async () => {
    await advanceClock(page.request, '169h');
    await expectStatus(page.request, 'active');
    await page.goto('/vc-admin/dash');
    await expect(processingNotice(page)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Pay now' })).toHaveCount(0);
  });

  await test.step('an email and the dashboard report the failed debit and the next attempt', async () => {
    await advanceClock(page.request, '73h');
    const failed = /^Payment failed: \$420 AUD, next attempt on (\d+ \w+)$/;
    const { subject, text } = await readEmail(page.request, user.email, failed);
    const nextAttempt = `${subject.match(failed)?.[1]}`;
    expect(text).toContain('insufficient funds');
    expect(text).toContain(`We will try again on ${nextAttempt}`);
    await expectStatus(page.request, 'past_due');
    await page.goto('/vc-admin/dash');
    await expect(page.getByText(`We try again on ${nextAttempt}`).first()).toBeVisible();
    await page.getByRole('link', { name: 'Pay now' }).click();
  });

  await test.step('pay from another account on the pay screen', async () => {
    await page.getByRole('radio', { name: 'Another payment method' }).check();
    await page.getByRole('button', { name: 'Pay $420 AUD' }).click();
    await expect(page.getByText('Pay $420 by direct debit.')).toBeVisible();
    await chooseAccount(page, 'pays');
    await expect(processingNotice(page)).toBeVisible();
    await advanceClock(page.request, '73h');
    await readEmail(page.request, user.email, /^Payment received: \$420 AUD/);
    await expectStatus(page.request, 'active');
    await page.goto('/vc-admin/diy/invoices');
    await expect(page.getByRole('listitem').getByText('Paid', { exact: true })).toHaveCount(1);
  });
});
