import { addCard } from '../stripe/support/card';
import { cardRow, chooseOption, expectDefault } from '../support/cards';
import { cards } from '../support/payment';
import { signIn } from '../support/session';
import { addUser } from './support/accounts';
import { expect, test } from './support/test';

const mastercard = '5555555555554444';

test('cards are added, made the default and deleted', async ({ page, server, guard }) => {
  const { user } = addUser(server);
  await signIn(page, user);
  await page.goto('/vc-admin/diy/cards');
  await expect(page.getByText('No records found')).toBeVisible();
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
  guard.expectLog(/^The card could not be added/);
  await addCard(page, cards.declinedWhenSaved);
  await expect(page.getByRole('group', { name: 'Card details' })).toContainText(
    'Your card was declined.',
  );
});
