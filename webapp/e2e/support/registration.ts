import { expect, type Page } from '@playwright/test';
import { verificationLink } from './dev';
import { type Choice, choosePlan } from './plans';
import { signIn } from './session';
import type { User } from './user';

/** Fills the registration form with valid input. */
export async function fillRegistration(page: Page, user: User): Promise<void> {
  await page.getByLabel('First name').fill(user.firstName);
  await page.getByLabel('Last name').fill(user.lastName);
  await page.getByLabel('Organization').fill(user.org);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(user.password);
  await expect(page.getByLabel('Country')).toHaveValue('AU');
  await page.getByLabel('State/Province').selectOption('New South Wales');
  await page.getByLabel('Billing address line 1').fill('12 Harbour Street');
  await page.getByLabel('City').fill('Sydney');
  await page.getByLabel('Zip/Postal code').fill('2000');
  await page.getByLabel('Phone no.').fill('+61 2 5550 0142');
}

/** Fills and submits the registration form, and waits for the success screen. */
export async function register(page: Page, user: User): Promise<void> {
  await fillRegistration(page, user);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
}

/** Chooses a plan, registers, verifies the address, signs in and opens the payment screen. */
export async function goToFirstPayment(page: Page, user: User, choice: Choice): Promise<void> {
  await page.goto('/vc-admin/diy/plans?debug=true');
  await choosePlan(page, choice, 'Start your free trial');
  await register(page, user);
  await page.goto(await verificationLink(page.request, user.email));
  await signIn(page, user);
  await page.getByRole('link', { name: 'Go on to payment' }).click();
}
