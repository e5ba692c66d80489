import { signInOnTrial } from './support/api';
import { expectAccessibleAt320 } from './support/axe';
import { tabTo } from './support/keyboard';
import { expect, test } from './support/test';

test('an owner reads by keyboard who changed the plan', async ({ page }) => {
  const owner = await signInOnTrial(page);
  await page.goto('/vc-admin/dash');
  await tabTo(page, 'button', 'Show activity');
  await page.keyboard.press('Enter');
  const activity = page.getByRole('region', { name: 'Activity' });
  await expect(
    activity.getByText(`${owner.firstName} ${owner.lastName} chose Professional, yearly.`),
  ).toBeVisible();
  await expect(
    activity.getByText(`${owner.firstName} ${owner.lastName} created the account.`),
  ).toBeVisible();
  await expect(activity.getByText('@')).toHaveCount(0);
  await expectAccessibleAt320(page);
});
