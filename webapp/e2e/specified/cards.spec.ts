import { testCardActions } from '../stripe/support/card';
import { signIn } from '../support/session';
import { registerUser } from './support/accounts';
import { expect, test } from './support/test';

test('a customer adds cards, changes the default card and deletes a card', async ({
  page,
  server,
  guard,
}) => {
  const { user } = registerUser(server);
  await signIn(page, user);
  await page.goto('/vc-admin/diy/cards');
  await expect(page.getByText('No records found')).toBeVisible();
  await testCardActions(page, guard);
});
