import { expect, type Page } from '@playwright/test';
import { type Choice, choosePlan } from './plans';

/** Chooses another plan and opens its confirmation. */
export async function goToConfirm(page: Page, choice: Choice): Promise<void> {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await choosePlan(page, choice, 'Update your plan');
  await expect(page).toHaveURL('/vc-admin/diy/confirm?debug=true');
  await expect(page.getByText('CHANGING TO')).toBeVisible();
}

/** Returns the section of the current or of the new plan. */
export function planPanel(page: Page, label: 'CURRENT PLAN' | 'CHANGING TO') {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: label }) });
}

/** Presses Confirm. */
export async function confirm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
}

/** Chooses to change at the renewal or the end of the trial instead of now. */
export async function chooseChangeAtRenewal(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /^(At the next renewal|When my trial ends)/ }).check();
}

/** Returns the section with the charges and the button. */
export function summary(page: Page) {
  return page.getByRole('region', { name: 'Summary', exact: true });
}
