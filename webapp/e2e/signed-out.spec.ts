import { signedIn, startTrial } from './support/api';
import { goToConfirm } from './support/confirm';
import { professional } from './support/plans';
import { expect, test } from './support/test';

for (const screen of ['cards', 'confirm', 'payment']) {
  for (const [query, plans] of [
    ['', '/vc-admin/diy/plans'],
    ['?debug=true', '/vc-admin/diy/plans?debug=true'],
  ]) {
    test(`a visitor who opens ${screen}${query} is sent to the plans`, async ({ page }) => {
      await page.goto(`/vc-admin/diy/${screen}${query}`);
      await expect(page).toHaveURL(`${plans}`);
    });
  }
}

test('who is signed in but has chosen nothing has nothing to confirm', async ({ page }) => {
  await signedIn(page.request);
  await startTrial(page.request);
  await page.goto('/vc-admin/diy/confirm?debug=true');
  await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
});

test('a choice does not outlive the session it was made in', async ({ page, context }) => {
  await signedIn(page.request);
  await startTrial(page.request);
  await goToConfirm(page, { ...professional, plan: 'Standard' });

  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
});

test('a tab that one comes back to knows that another one has signed out', async ({
  page,
  context,
}) => {
  await signedIn(page.request);
  await startTrial(page.request);
  await goToConfirm(page, { ...professional, plan: 'Standard' });

  const other = await context.newPage();
  await other.goto('/vc-admin/auth/logout');
  await other.close();
  // Chromium under test takes every tab for the one in front, and so tells none that it is again.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
});
