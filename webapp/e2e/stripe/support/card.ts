import { expect, type FrameLocator, type Page } from '@playwright/test';
import { cardRow, chooseOption, expectDefaultCard } from '../../support/cards';
import type { Guard } from '../../support/guard';
import { cards } from '../../support/payment';

/** Returns the frame with the card field. The fake Stripe.js and Stripe's own give it the same title. */
export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator('iframe[title="Secure card payment input frame"]');
}

/** Fills the card field, replacing a card that was entered before. */
export async function typeCard(page: Page, number: string, expiry = '1234', cvc = '123') {
  const frame = cardFrame(page);
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiry').fill(expiry);
  await frame.getByLabel('CVC').fill(cvc);
}

/** Opens the panel of the cards screen and adds a card. */
export async function addCard(page: Page, number: string) {
  await page.getByRole('button', { name: 'Add card' }).click();
  await typeCard(page, number);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
}

/** Adds two cards, makes the first one the default, deletes the second one, and fails to add a declined card. */
export async function testCardActions(page: Page, guard: Guard): Promise<void> {
  await addCard(page, cards.valid);
  await expectDefaultCard(page, '4242');
  await addCard(page, cards.mastercard);
  await expectDefaultCard(page, '4444');

  await chooseOption(page, '4242', 'Set as default');
  await expectDefaultCard(page, '4242');
  await chooseOption(page, '4444', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(cardRow(page, '4444')).toHaveCount(0);
  await page.reload();
  await expectDefaultCard(page, '4242');

  guard.expect(402, '/vc-admin/org/customer/cards/add');
  guard.expectLog(/^The card could not be added/);
  await addCard(page, cards.declinedWhenSaved);
  const field = page.getByRole('group', { name: 'Card details' });
  await expect(field).toContainText('Your card was declined.');
}

/** Completes or fails the authentication in the dialog of the bank. */
export async function authenticate(page: Page, button: 'Complete' | 'Fail') {
  const bankFrame = page.locator('iframe[title="3D Secure authentication"]');
  await bankFrame.contentFrame().getByRole('button', { name: button }).click();
  await expect(bankFrame).toHaveCount(0);
}
