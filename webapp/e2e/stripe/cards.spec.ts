import { getLicenses, signInNewUser } from '../support/api';
import { confirm, goToConfirm, planPanel } from '../support/confirm';
import { cards, expectSuccessAndLogout } from '../support/payment';
import { standard } from '../support/plans';
import { signIn } from '../support/session';
import { addCard, testCardActions } from './support/card';
import { startTrial } from './support/state';
import { expect, test } from './support/test';

test('a customer adds cards, changes the default card and deletes a card', async ({
  page,
  guard,
}) => {
  await signInNewUser(page.request);
  await page.goto('/vc-admin/diy/cards');
  await testCardActions(page, guard);
});

test('a plan change is paid with a card added from the confirmation', async ({ page, stripe }) => {
  const user = await signInNewUser(page.request);
  await startTrial(page.request, stripe);
  await goToConfirm(page, standard);
  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await addCard(page, cards.mastercard);
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
  // The note below the button names the card too.
  await expect(page.getByText('•••• 4444', { exact: true })).toBeVisible();
  await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard');

  await expectSuccessAndLogout(page, confirm);
  await signIn(page, user);
  expect((await getLicenses(page.request)).license).toMatchObject({
    raw: { status: 'active', metadata: { name: 'standard' } },
  });
});
