import { expect, type Page } from '@playwright/test';
import type { User } from './user';

type Credentials = Pick<User, 'email' | 'password'>;

/** Returns the link of the header that signs out. */
export const signOutLink = (page: Page) => page.getByRole('link', { name: 'Sign Out' });

/** Signs in on the dashboard. */
export async function signIn(page: Page, credentials: Credentials): Promise<void> {
  if (!page.url().includes('/vc-admin/dash')) await page.goto('/vc-admin/dash');
  await submitSignIn(page, credentials);
  await expect(signOutLink(page)).toBeVisible();
}

/** Fills in the sign-in form on the page and submits it. */
export async function submitSignIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/**
 * Opens the URL that ends the session, which redirects to the sign-in form. Leaves the page first, because its running
 * requests would fail with 401 after the end of the session.
 */
export async function openSignOut(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.goto('/vc-admin/auth/logout');
}
