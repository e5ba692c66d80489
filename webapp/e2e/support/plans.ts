import type { Locator, Page } from '@playwright/test';

export interface Choice {
  plan: string;
  interval: 'monthly' | 'yearly';
  currency: string;
}

/** The plan that most tests choose. */
export const professional: Choice = { plan: 'Professional', interval: 'yearly', currency: 'AUD' };

/** The query that chooses `professional`. */
export const choiceQuery = 'product=professional&currency=AUD&interval=yearly&debug=true';

/** The paths of the registration form and the payment screen for `professional`. */
export const registrationPath = `/vc-admin/diy/regform?${choiceQuery}`;
export const paymentPath = `/vc-admin/diy/payment?${choiceQuery}`;

/** The plan to which most tests change. */
export const standard: Choice = { ...professional, plan: 'Standard' };

/** Returns the card of a plan on the plans page. */
export function planCard(page: Page, plan: string): Locator {
  return page.getByRole('region', { name: plan, exact: true });
}

/** Sets the billing interval and the currency on the plans page. */
export async function setPrices(page: Page, { interval, currency }: Choice): Promise<void> {
  const billing = interval === 'yearly' ? 'Annual billing' : 'Monthly billing';
  await page.getByRole('radio', { name: billing }).check();
  await page.getByRole('radio', { name: currency }).check();
}

/** Chooses a plan by its button. The label of the button depends on the user. */
export async function choosePlan(page: Page, choice: Choice, button: string): Promise<void> {
  await setPrices(page, choice);
  await planCard(page, choice.plan).getByRole('button', { name: button }).click();
}
