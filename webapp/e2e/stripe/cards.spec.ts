import { licenses, signInNewUser } from '../support/api';
import { cardRow, chooseOption, expectDefault } from '../support/cards';
import { confirm, goToConfirm, planPanel } from '../support/confirm';
import { cards, expectSuccessAndLogout } from '../support/payment';
import { professional } from '../support/plans';
import { signIn } from '../support/session';
import { addCard } from './support/card';
import { startTrial } from './support/state';
import { expect, test } from './support/test';

const mastercard = '5555555555554444';

test('cards are added, made the default and deleted', async ({ page, guard }) => {
  await signInNewUser(page.request);
  await page.goto('/vc-admin/diy/cards');
  await addCard(page, cards.good);
  await expectDefault(page, '4242');
  await addCard(page, mastercard);
  await expectDefault(page, '4444');

  await chooseOption(page, '4242', 'Set as default');
  await expectDefault(page, '4242');
  await chooseOption(page, '4444', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(cardRow(page, '4444')).toHaveCount(0);
  await page.reload();
  await expectDefault(page, '4242');

  guard.expect(402, '/vc-admin/org/customer/cards/add');
  guard.expectLog(/The card could not be added/);
  await addCard(page, cards.declinedWhenSaved);
  const field = page.getByRole('group', { name: 'Card details' });
  await expect(field).toContainText('Your card was declined.');
});

test('a plan change is paid with a card added from the confirmation', async ({ page, stripe }) => {
  const user = await signInNewUser(page.request);
  await startTrial(page.request, stripe);
  await goToConfirm(page, { ...professional, plan: 'Standard' });
  await page.getByRole('button', { name: 'Manage card(s)' }).click();
  await addCard(page, mastercard);
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
  await expect(page.getByText('•••• 4444')).toBeVisible();
  await expect(planPanel(page, 'CHANGING TO')).toContainText('Standard');

  await expectSuccessAndLogout(page, confirm);
  await signIn(page, user);
  expect((await licenses(page.request)).license).toMatchObject({
    raw: { status: 'active', metadata: { name: 'standard' } },
  });
});
