import { planCard } from './support/plans';
import { expect, test } from './support/test';

test('a plan that is not sold here leads to the people who sell it', async ({ page }) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await planCard(page, 'Enterprise').getByRole('button', { name: 'Contact us' }).click();

  await expect(page).toHaveURL('/vc-admin/diy/contact?product=enterprise&interval=yearly');
  await expect(page.getByText('For Enterprise solutions, send your query to us')).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:.+@.+/);
  await expect(main.getByRole('link', { name: /^\+/ })).toHaveAttribute('href', /^tel:\+\d+$/);
});

test('whoever asks about no plan is welcome too', async ({ page }) => {
  for (const query of ['', '?product=gold&interval=yearly']) {
    await page.goto(`/vc-admin/diy/contact${query}`);
    await expect(page.getByText('Send your query to us', { exact: true })).toBeVisible();
  }
});
