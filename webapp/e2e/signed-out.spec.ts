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

test('a tab shows at once that another tab signed out, and goes on after signing in', async ({
  page,
  context,
}) => {
  const person = await signedIn(page.request);
  await startTrial(page.request);
  await goToConfirm(page, { ...professional, plan: 'Standard' });

  const other = await context.newPage();
  await other.goto('/vc-admin/auth/logout');
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await expect(page.getByText('CHANGING TO')).toBeHidden();
  await expect(page.getByLabel('Email')).toHaveValue(person.email);

  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('CHANGING TO')).toBeVisible();
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
});

test('Sign Out ends the session and leads to the sign-in form', async ({ page }) => {
  await signedIn(page.request);
  await page.goto('/vc-admin/diy/plans?debug=true');
  await page.getByRole('link', { name: 'Sign Out' }).click();

  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveURL('/vc-admin/dash?debug=true');
  await page.goto('/vc-admin/diy/cards');
  await expect(page).toHaveURL('/vc-admin/diy/plans');
});

test('a Sign Out that fails leaves the visitor on the screen', async ({ page, guard }) => {
  guard.expect(500, '/vc-admin/auth/logout');
  guard.expectLog(/^Signing out failed/);
  await signedIn(page.request);
  await page.goto('/vc-admin/dash?debug=true');
  await page.route('**/vc-admin/auth/logout', (route) =>
    route.fulfill({ status: 500, json: { name: 'ERRINTERNAL', message: 'Something went wrong.' } }),
  );
  await page.getByRole('link', { name: 'Sign Out' }).click();

  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
  await expect(page).toHaveURL('/vc-admin/dash?debug=true');
});
