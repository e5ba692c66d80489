import { expect, type Page } from '@playwright/test';
import type { Person } from './person';

/** Fills the whole form with valid input. */
export async function fillRegistration(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Organization').fill(person.org);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(person.password);
  await expect(page.getByLabel('Country')).toHaveValue('AU');
  await page.getByLabel('State/Province').selectOption('New South Wales');
  await page.getByLabel('Billing address line 1').fill('12 Harbour Street');
  await page.getByLabel('City').fill('Sydney');
  await page.getByLabel('Zip/Postal code').fill('2000');
  await page.getByLabel('Phone no.').fill('+61 2 5550 0142');
}

/** Fills and submits the form, and waits for the success screen. */
export async function register(page: Page, person: Person): Promise<void> {
  await fillRegistration(page, person);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
}
