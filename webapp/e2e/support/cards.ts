import { expect, type Locator, type Page } from '@playwright/test';
import { fillCard } from './payment';

/** Returns the row of the saved card with these last digits. */
export function cardRow(page: Page, last4: string): Locator {
  return page.getByRole('listitem').filter({ hasText: `•••• ${last4}` });
}

/** Returns the button that opens a saved card's menu; the default card has none. */
export function cardOptionsButton(page: Page, last4: string): Locator {
  return cardRow(page, last4).getByRole('button', { name: /^More options/ });
}

/** Chooses an option in the menu of a saved card. */
export async function chooseOption(page: Page, last4: string, option: string): Promise<void> {
  await cardOptionsButton(page, last4).click();
  await page.getByRole('menuitem', { name: option }).click();
}

/** Opens the panel of the cards screen and adds a card. */
export async function addCard(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Add card' }).click();
  await fillCard(page, number);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

/** Expects the card to be the default one. */
export async function expectDefaultCard(page: Page, last4: string): Promise<void> {
  await expect(cardRow(page, last4).getByText('Default')).toBeVisible();
  await expect(cardOptionsButton(page, last4)).toHaveCount(0);
}
