import type { Page } from '@playwright/test';
import { testJourneys } from './support/journeys/test-journeys';
import { planCard, registrationPath, setPrices } from './support/plans';
import { expect, test } from './support/test';
import { addExtensionElements, translatePage } from './support/translation';

async function changeFromOutside(page: Page): Promise<void> {
  await translatePage(page);
  await addExtensionElements(page);
}

const expectTranslated = (page: Page) => expect(page.locator('h1 font').first()).toBeAttached();

// Each screen once, in its states that change while it is open. bare-text.test.ts checks the source of all components.
const translatedJourneys = [
  'plans of a visitor',
  'contact, unknown paths and the sign-in form in place of a screen',
  'registration',
  'verification in another browser',
  'password reset',
  'sign-in',
  'payment and its failures',
  'declined plan change',
  'overdue invoice',
  'email addresses that refuse emails, and email preferences',
  'plans, cards and confirmation on a trial',
  'dashboard on a trial, ending and resuming',
  'invoices and billing details of a customer',
];

testJourneys('every screen works while the browser translates it', {
  only: translatedJourneys,
  prepare: changeFromOutside,
  show: expectTranslated,
});

test('translated plans show the prices of the chosen interval and currency', async ({ page }) => {
  await changeFromOutside(page);
  await page.goto('/vc-admin/diy/plans?debug=true');
  const card = planCard(page, 'Professional');
  await expect(card).toContainText('$68 AUD per month');
  await setPrices(page, { plan: 'Professional', interval: 'monthly', currency: 'GBP' });

  await expect(card).toContainText('£44 GBP per month');
  await expect(card).not.toContainText('$');
  await expectTranslated(page);
});

test('a translated registration form follows the password and the country', async ({ page }) => {
  await changeFromOutside(page);
  await page.goto(registrationPath);
  await page.getByLabel('Password', { exact: true }).pressSequentially('Tide');
  const conditions = page.getByRole('list', { name: 'What it needs' }).getByRole('listitem');
  await expect(conditions.filter({ hasText: ', met' })).toHaveCount(2);
  await page.getByLabel('Password', { exact: true }).fill('Tide-And-Time-7');
  await expect(conditions.filter({ hasText: ', not met' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show Password', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Hide Password', exact: true })).toBeVisible();
  for (const country of ['SG', 'GB', 'AU']) await page.getByLabel('Country').selectOption(country);
  await page.getByRole('button', { name: 'Submit' }).click();

  await expect(page.getByText('First name is required')).toBeVisible();
  await expectTranslated(page);
});
