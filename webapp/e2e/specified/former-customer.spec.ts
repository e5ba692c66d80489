import type { Page } from '@playwright/test';
import { addCard, authenticate } from '../stripe/support/card';
import { confirm, goToConfirm, planPanel } from '../support/confirm';
import { cards, expectSuccessAndLogout } from '../support/payment';
import { standard } from '../support/plans';
import { signIn } from '../support/session';
import type { User } from '../support/user';
import { registerFormerCustomer } from './support/accounts';
import { expect, test } from './support/test';

/** Signs in and goes to the confirmation of a new subscription. */
async function subscribeAgain(page: Page, user: User): Promise<void> {
  await signIn(page, user);
  await expect(
    page.getByRole('heading', { name: 'Your Professional plan has ended' }),
  ).toBeVisible();
  await goToConfirm(page, standard);
  await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard$420 AUD per year');
}

async function expectActive(page: Page, user: User): Promise<void> {
  await signIn(page, user);
  await expect(page.getByRole('region', { name: 'Standard', exact: true })).toContainText('active');
}

test('a former customer subscribes without a trial, and the bank approves the card', async ({
  page,
  server,
  stripe,
}) => {
  const user = await registerFormerCustomer(server, stripe, cards.authenticates);
  await subscribeAgain(page, user);
  await expect(page.getByText('•••• 3155')).toBeVisible();
  await confirm(page);
  await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
  await expectActive(page, user);
});

test('a former customer pays with another card after the default one was declined', async ({
  page,
  server,
  stripe,
}) => {
  const user = await registerFormerCustomer(server, stripe, cards.declinedWhenCharged);
  await subscribeAgain(page, user);
  await confirm(page);
  await expect(page.getByText('Your card was declined.')).toBeVisible();

  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await addCard(page, cards.good);
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
  await expect(page.getByText('•••• 4242')).toBeVisible();
  await expectSuccessAndLogout(page, confirm);
  await expectActive(page, user);
});
