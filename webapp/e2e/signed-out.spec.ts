import type { Page } from '@playwright/test';
import { signInNewUser, signInOnTrial } from './support/api';
import { goToConfirm } from './support/confirm';
import { standard } from './support/plans';
import { signOutLink } from './support/session';
import { expect, test } from './support/test';

/** Opens the confirmation screen and waits until its quote is loaded. */
async function openConfirm(page: Page): Promise<void> {
  await goToConfirm(page, standard);
  await expect(page.getByRole('button', { name: /^Confirm/ })).toBeEnabled();
}

test('a visitor is redirected from cards, confirm and payment to the plans', async ({ page }) => {
  for (const screen of ['cards', 'confirm', 'payment']) {
    for (const query of ['', '?debug=true']) {
      await page.goto(`/vc-admin/diy/${screen}${query}`);
      await expect(page).toHaveURL(`/vc-admin/diy/plans${query}`);
    }
  }
});

test('the confirmation redirects to the plans when no plan is chosen or the session has ended', async ({
  page,
  context,
}) => {
  await signInOnTrial(page);
  await page.goto('/vc-admin/diy/confirm?debug=true');
  await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');

  await openConfirm(page);
  await context.clearCookies();
  await page.reload();
  await expect(page).toHaveURL('/vc-admin/diy/plans?debug=true');
});

test('a tab asks the user to sign in again after a sign-out in another tab, and keeps the chosen plan', async ({
  page,
  context,
}) => {
  const user = await signInOnTrial(page);
  await openConfirm(page);

  const otherTab = await context.newPage();
  await otherTab.goto('/vc-admin/auth/logout');
  await expect(otherTab.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
  await expect(page.getByText('CHANGING TO')).toBeHidden();
  await expect(page.getByLabel('Email')).toHaveValue(user.email);

  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('CHANGING TO')).toBeVisible();
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
});

test('Sign Out ends the session and opens the sign-in form', async ({ page }) => {
  await signInNewUser(page.request);
  await page.goto('/vc-admin/diy/plans?debug=true');
  await signOutLink(page).click();

  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveURL('/vc-admin/dash?debug=true');
  await page.goto('/vc-admin/diy/cards');
  await expect(page).toHaveURL('/vc-admin/diy/plans');
});
