import { expect, type FrameLocator, type Page } from '@playwright/test';

/** The frame with the card field, as in the real script. */
export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Secure card payment input frame"]');
}

/** Types a card in place of the current one. */
export async function typeCard(page: Page, number: string, expiry = '1234', cvc = '123') {
  const frame = cardFrame(page);
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiry').fill(expiry);
  await frame.getByLabel('CVC').fill(cvc);
}

/** Opens the panel and adds a card. */
export async function addCard(page: Page, number: string) {
  await page.getByRole('button', { name: 'Add card' }).click();
  await typeCard(page, number);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

/** Completes or fails the authentication in the dialog of the bank. */
export async function authenticate(page: Page, button: 'Complete' | 'Fail') {
  const bank = page.locator('iframe[title="3D Secure authentication"]');
  await bank.contentFrame().getByRole('button', { name: button }).click();
  await expect(bank).toHaveCount(0);
}
