import { confirm, goToConfirm } from '../support/confirm';
import { cards } from '../support/payment';
import { standard } from '../support/plans';
import { signIn } from '../support/session';
import { registerCustomer } from './support/accounts';
import { expect, test } from './support/test';

test('a plan change whose payment is declined reports the decline and keeps the plan', async ({
  page,
  server,
  stripe,
  guard,
}) => {
  const { user } = await registerCustomer(server, stripe, cards.declinedWhenCharged);
  await signIn(page, user);
  await goToConfirm(page, standard);
  guard.expect(402, '/vc-admin/org/subscription/update');
  await confirm(page);
  await expect(page.getByRole('alert')).toContainText('Your card was declined.');

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('region', { name: 'Professional', exact: true })).toContainText(
    'in-trial',
  );
});
