import { expect, type Page } from '@playwright/test';
import type { User } from './user';

/** Signs in on the dashboard. */
export async function signIn(page: Page, { email, password }: User): Promise<void> {
  if (!page.url().includes('/vc-admin/dash')) await page.goto('/vc-admin/dash');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Sign Out' })).toBeVisible();
}
