import type { Locator, Page } from '@playwright/test';

export interface Choice {
  plan: string;
  interval: 'monthly' | 'yearly';
  currency: string;
}

/** The plan of the main job. */
export const professional: Choice = { plan: 'Professional', interval: 'yearly', currency: 'AUD' };

/** The address of the payment screen for that plan. */
export const paymentPath =
  '/vc-admin/diy/payment?product=professional&interval=yearly&currency=AUD&debug=true';

/** The plan of plan changes. */
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

/** Chooses a plan by its button, whose label depends on the user. */
export async function choosePlan(page: Page, choice: Choice, button: string): Promise<void> {
  await setPrices(page, choice);
  await planCard(page, choice.plan).getByRole('button', { name: button }).click();
}
