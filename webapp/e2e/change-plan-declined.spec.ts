import type { Page } from '@playwright/test';
import { endTrialUnpaid, getLicenses, signInNewUser, signInOnTrial } from './support/api';
import { addCard, chooseOption, expectDefaultCard } from './support/cards';
import { confirm, goToConfirm, planPanel } from './support/confirm';
import { cards, expectSuccessAndLogout } from './support/payment';
import { standard } from './support/plans';
import { signIn } from './support/session';
import { expect, test } from './support/test';

/** Adds a card from the confirmation and waits for the confirmation to show it. */
async function addCardFromConfirmation(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await addCard(page, number);
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
  await expect(page.getByText(`•••• ${number.slice(-4)}`, { exact: true })).toBeVisible();
}

test('a plan change is paid with a valid card after two cards were declined', async ({
  page,
  guard,
}) => {
  const user = await signInOnTrial(page);
  await goToConfirm(page, standard);

  await addCardFromConfirmation(page, cards.declinedWhenCharged);
  await confirm(page);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('Your card was declined.');
  await expect(alert).toContainText('Your plan has not changed.');
  await expect(planPanel(page, 'CURRENT PLAN')).toContainText(
    'CURRENT PLAN (in-trial)Professional',
  );
  await expect(page.getByRole('link', { name: 'Pay with another card' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Keep Professional/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Confirm' })).toHaveCount(0);

  await test.step("a second decline shows 'retry payment later' and the reason", async () => {
    guard.expect(402, /^\/dev\/payments\/intents\/.+\/confirm$/);
    await addCardFromConfirmation(page, cards.insufficientFunds);
    await confirm(page);
    await expect(alert).toContainText('retry payment later');
    await expect(alert).toContainText('Your card has insufficient funds.');
  });

  await test.step('the card of the trial pays', async () => {
    await page.getByRole('button', { name: 'Manage card(s)' }).click();
    await chooseOption(page, '4242', 'Set as default');
    await expectDefaultCard(page, '4242');
    await page.getByRole('button', { name: '← Go back' }).click();
    await expectSuccessAndLogout(page, confirm);
  });

  await signIn(page, user);
  const { license } = await getLicenses(page.request);
  expect(license).toMatchObject({ raw: { status: 'active', metadata: { name: 'standard' } } });
});

test('a former customer subscribes without a trial with a new card after a decline', async ({
  page,
}) => {
  const user = await signInNewUser(page.request);
  await endTrialUnpaid(page.request);
  await page.goto('/vc-admin/diy/plans?debug=true');
  await expect(page.getByRole('radio', { name: 'AUD' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'USD' })).toBeDisabled();
  await goToConfirm(page, standard);

  await expect(planPanel(page, 'CURRENT PLAN')).toContainText('Your Professional plan has ended.');
  await expect(page.getByText('Your subscription will start now.')).toBeVisible();
  await confirm(page);
  await expect(page.getByRole('alert')).toContainText('Your card was declined.');

  await addCardFromConfirmation(page, cards.valid);
  await expectSuccessAndLogout(page, confirm);

  await signIn(page, user);
  const { license } = await getLicenses(page.request);
  expect(license).toMatchObject({ raw: { status: 'active', metadata: { name: 'standard' } } });
});
