import { planCard } from '../support/plans';
import { fillRegistration, register } from '../support/registration';
import { newUser } from '../support/user';
import { registerUser } from './support/accounts';
import { expect, test } from './support/test';

const choiceQuery = 'product=standard&interval=monthly&currency=GBP&debug=true';

test('Contact us opens the contact screen for a plan without a price', async ({ page }) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await planCard(page, 'Enterprise').getByRole('button', { name: 'Contact us' }).click();
  await expect(page).toHaveURL(/contact\?product=enterprise&interval=yearly/);
  await expect(page.getByText('For Enterprise solutions, send your query to us')).toBeVisible();
});

test('an email address that is registered already is reported at its field', async ({
  page,
  server,
  guard,
}) => {
  guard.expect(400, '/vc-admin/signup');
  guard.expectLog(/^Signing up failed/);
  const { user } = registerUser(server);
  await page.goto(`/vc-admin/diy/regform?${choiceQuery}`);
  await fillRegistration(page, { ...newUser(), email: user.email });
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/exists already/);

  await register(page, newUser());
});

test('a visitor is redirected from cards, confirm and payment to the plans', async ({ page }) => {
  for (const screen of ['cards', 'confirm', `payment?${choiceQuery}`]) {
    await page.goto(`/vc-admin/diy/${screen}`);
    await expect(page).toHaveURL(/\/vc-admin\/diy\/plans/);
  }
});
