import { signInNewUser } from './support/api';
import {
  addCard,
  cardOptionsButton,
  cardRow,
  chooseOption,
  expectDefaultCard,
} from './support/cards';
import { cards } from './support/payment';
import { expect, test } from './support/test';

const path = '/vc-admin/diy/cards';

test('a customer adds cards, changes the default card and deletes a card', async ({ page }) => {
  await signInNewUser(page.request);
  await page.goto(path);
  await expect(page.getByText('No records found')).toBeVisible();

  await test.step('the first card becomes the default and has no menu', async () => {
    await addCard(page, cards.valid);
    await expectDefaultCard(page, '4242');
    await expect(cardRow(page, '4242')).toContainText('Expires 12/2034');
    await expect(page.getByText('Visa •••• 4242 was added')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add card' })).toBeVisible();
  });

  await test.step('a second card becomes the default', async () => {
    await addCard(page, cards.mastercard);
    await expectDefaultCard(page, '4444');
    await expect(cardOptionsButton(page, '4242')).toBeVisible();
  });

  await test.step('the first card is made the default again', async () => {
    await chooseOption(page, '4242', 'Set as default');
    await expectDefaultCard(page, '4242');
    await expect(cardOptionsButton(page, '4444')).toBeVisible();
    await page.reload();
    await expectDefaultCard(page, '4242');
  });

  await test.step('a card is deleted after a confirmation', async () => {
    await chooseOption(page, '4444', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(cardOptionsButton(page, '4444')).toBeFocused();

    await chooseOption(page, '4444', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(cardRow(page, '4444')).toHaveCount(0);
    await expect(
      page.getByRole('list', { name: 'Saved Card(s)' }).getByRole('listitem'),
    ).toHaveCount(1);
    await page.reload();
    await expectDefaultCard(page, '4242');
  });
});

test('a customer adds and deletes cards by keyboard', async ({ page }) => {
  await signInNewUser(page.request);
  await page.goto(path);
  const { keyboard } = page;

  await page.getByRole('button', { name: 'Add card' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Card number')).toBeVisible();
  await keyboard.press('Tab');
  await keyboard.type(cards.valid);
  await keyboard.press('Tab');
  await keyboard.type('1234');
  await keyboard.press('Tab');
  await keyboard.type('123');
  await keyboard.press('Enter');
  await expectDefaultCard(page, '4242');
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();

  await addCard(page, cards.mastercard);
  await expectDefaultCard(page, '4444');
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();
  await keyboard.press('Tab');
  await expect(cardOptionsButton(page, '4242')).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Set as default' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(cardOptionsButton(page, '4242')).toBeFocused();
  await keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(cardRow(page, '4242')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();
});
