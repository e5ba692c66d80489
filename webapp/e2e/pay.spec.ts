import { getLicenses } from './support/api';
import { confirm } from './support/confirm';
import { tabTo } from './support/keyboard';
import {
  openPaymentBanner,
  signInWithDeclinedChange,
  signInWithOverdueInvoice,
  signInWithOwedInvoice,
  signInWithUnapprovedTrial,
} from './support/open-payment';
import { authenticate, cards, expectSuccessAndLogout, fillCard } from './support/payment';
import { choosePlan, standard } from './support/plans';
import { signIn } from './support/session';
import { expect, test } from './support/test';

test('an overdue invoice is paid with another card, and the customer stays signed in', async ({
  page,
}) => {
  await signInWithOverdueInvoice(page);
  await page.goto('/vc-admin/dash');
  await expect(page.getByRole('region', { name: 'Professional' })).toContainText(
    'Payment overdue$816 AUD',
  );
  await page.getByRole('link', { name: 'Pay now' }).click();

  await test.step('the default card is declined again', async () => {
    await expect(
      page.getByText(/^Visa\s••••\s0341 was declined on .*: Your card was/),
    ).toBeVisible();
    await expect(page.getByRole('radio', { name: /^Visa ending in 0341/ })).not.toBeChecked();
    await page.getByRole('radio', { name: /^Visa ending in 0341/ }).check();
    await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('Your card was declined.');
    await expect(alert).toContainText('Your invoice is still open.');
    await expect(alert).not.toContainText('Nothing was charged');
  });

  await test.step('a new card pays', async () => {
    await page.getByRole('radio', { name: 'Another card' }).check();
    await fillCard(page, cards.valid);
    await page.getByRole('button', { name: 'Pay $816 AUD' }).click();
    await expect(page.getByRole('heading', { name: 'Your invoice is paid' })).toBeFocused();
  });

  await page.getByRole('link', { name: 'Go to your dashboard' }).click();
  await expect(page.getByText('active', { exact: true })).toBeVisible();
  await expect(openPaymentBanner(page)).toHaveCount(0);
  await page.goto('/vc-admin/diy/cards');
  await expect(page.getByRole('listitem').filter({ hasText: '•••• 4242' })).toContainText(
    'Default',
  );
});

test('a former customer pays the owed invoice and subscribes to the plan again', async ({
  page,
}) => {
  const user = await signInWithOwedInvoice(page);
  await page.goto('/vc-admin/dash');
  await expect(page.getByText(/^Your last invoice of \$39 AUD is not paid/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Subscribe again' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Pay $39 AUD' }).click();

  await page.getByRole('radio', { name: /^Visa ending in 4242/ }).check();
  await page.getByRole('button', { name: 'Pay $39 AUD' }).click();
  await expect(page.getByRole('heading', { name: 'Your invoice is paid' })).toBeFocused();
  await expect(openPaymentBanner(page)).toHaveCount(0);

  await page.getByRole('link', { name: 'Subscribe again' }).click();
  await choosePlan(page, { ...standard, interval: 'monthly' }, 'Update your plan');
  await expect(page.getByText('Your subscription will start now.')).toBeVisible();
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  const { license } = await getLicenses(page.request);
  expect(license).toMatchObject({ raw: { status: 'active', metadata: { name: 'standard' } } });
});

test('a declined plan change is paid by keyboard with another saved card', async ({ page }) => {
  await signInWithDeclinedChange(page);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Your plan has not changed. You keep your Professional trial');
  await expect(page.getByText('CURRENT PLAN (in-trial)')).toBeVisible();
  await expect(openPaymentBanner(page)).toHaveCount(0);

  await page.getByRole('link', { name: 'Pay with another card' }).click();
  await expect(page.getByRole('radio', { name: /^Visa ending in 4242/ })).toBeChecked();
  await tabTo(page, 'button', 'Pay $420 AUD');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your plan has changed' })).toBeFocused();
  const { license } = await getLicenses(page.request);
  expect(license).toMatchObject({ raw: { status: 'active', metadata: { name: 'standard' } } });
});

test('the card of a trial is approved from the dashboard', async ({ page }) => {
  await signInWithUnapprovedTrial(page);
  await page.goto('/vc-admin/dash');
  await page.getByRole('link', { name: 'Approve your card' }).click();
  await page.getByRole('button', { name: 'Approve this card' }).click();
  await authenticate(page, 'Complete');
  await expect(page.getByRole('heading', { name: 'Your card is approved' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to your dashboard' }).click();
  await expect(page.getByText('in-trial')).toBeVisible();
  await expect(openPaymentBanner(page)).toHaveCount(0);
});
