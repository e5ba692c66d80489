import type { Page } from '@playwright/test';
import { addCard, authenticate } from '../stripe/support/card';
import { confirm, goToConfirm, planPanel } from '../support/confirm';
import { cards, expectSuccessAndLogout } from '../support/payment';
import { standard } from '../support/plans';
import { signIn } from '../support/session';
import type { User } from '../support/user';
import { registerFormerCustomer } from './support/accounts';
import { expect, test } from './support/test';

/** Signs in and opens the confirmation of a new subscription to Standard. */
async function goToNewSubscription(page: Page, user: User): Promise<void> {
  await signIn(page, user);
  await expect(
    page.getByRole('heading', { name: 'Your Professional plan has ended' }),
  ).toBeVisible();
  await goToConfirm(page, standard);
  await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard$420 AUD per year');
}

/** Signs in and expects an active Standard plan. */
async function expectActiveStandard(page: Page, user: User): Promise<void> {
  await signIn(page, user);
  await expect(page.getByRole('region', { name: 'Standard', exact: true })).toContainText('active');
}

test('a former customer subscribes without a trial after the bank has approved the card', async ({
  page,
  server,
  stripe,
}) => {
  const user = await registerFormerCustomer(server, stripe, cards.needsAuthentication);
  await goToNewSubscription(page, user);
  await expect(page.getByText('•••• 3155')).toBeVisible();
  await confirm(page);
  await expectSuccessAndLogout(page, () => authenticate(page, 'Complete'));
  await expectActiveStandard(page, user);
});

test('a former customer pays with another card after the default one was declined', async ({
  page,
  server,
  stripe,
}) => {
  const user = await registerFormerCustomer(server, stripe, cards.declinedWhenCharged);
  await goToNewSubscription(page, user);
  await confirm(page);
  await expect(page.getByText('Your card was declined.')).toBeVisible();

  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await addCard(page, cards.valid);
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
  await expect(page.getByText('•••• 4242')).toBeVisible();
  await expectSuccessAndLogout(page, confirm);
  await expectActiveStandard(page, user);
});
