import { signedIn, startTrial } from './support/api';
import { addCard, cardRow, chooseOption, expectDefault, moreOptions } from './support/cards';
import { cards, replaceCard } from './support/payment';
import { expect, test } from './support/test';

const path = '/vc-admin/diy/cards';
const mastercard = '5555555555554444';
const amex = '378282246310005';

test('cards are added, made the default and deleted', async ({ page }) => {
  await signedIn(page.request);
  await page.goto(path);
  await expect(page.getByText('No records found')).toBeVisible();

  await test.step('the first one is the default, and the last one has no menu', async () => {
    await addCard(page, cards.good);
    await expectDefault(page, '4242');
    await expect(cardRow(page, '4242')).toContainText('Expires 12/2034');
    await expect(page.getByText('Visa ending in 4242 was added')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add card' })).toBeVisible();
  });

  await test.step('the next one is the default instead', async () => {
    await addCard(page, mastercard);
    await expectDefault(page, '4444');
    await expect(moreOptions(page, '4242')).toBeVisible();
  });

  await test.step('set the first one as default', async () => {
    await chooseOption(page, '4242', 'Set as default');
    await expectDefault(page, '4242');
    await expect(moreOptions(page, '4444')).toBeVisible();
    await page.reload();
    await expectDefault(page, '4242');
  });

  await test.step('delete asks once', async () => {
    await chooseOption(page, '4444', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(moreOptions(page, '4444')).toBeFocused();

    await chooseOption(page, '4444', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(cardRow(page, '4444')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
    await page.reload();
    await expectDefault(page, '4242');
  });
});

test('a card that can not be saved says why, and another one can be tried', async ({
  page,
  guard,
}) => {
  guard.expect(402, '/vc-admin/org/customer/cards/add');
  guard.expectLog(/The card could not be added/);
  await signedIn(page.request);
  await page.goto(path);

  await addCard(page, cards.declinedWhenSaved);
  const field = page.getByRole('group', { name: 'Card details' });
  await expect(field).toContainText('Your card was declined.');

  await replaceCard(page, cards.expired);
  await expect(field).not.toContainText('Your card was declined.');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(field).toContainText('Your card has expired.');

  await replaceCard(page, '4242');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(field).toContainText('Your card number is incomplete.');

  await replaceCard(page, amex);
  await page.getByLabel('CVC').fill('1234');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expectDefault(page, '0005');
});

test('a card that became the default elsewhere stays: nothing is shown, nothing is lost', async ({
  page,
  context,
  guard,
}) => {
  await signedIn(page.request);
  await startTrial(page.request);
  await page.goto(path);
  await addCard(page, mastercard);
  await expectDefault(page, '4444');

  const other = await context.newPage();
  await other.goto(path);
  await chooseOption(other, '4242', 'Set as default');
  await expectDefault(other, '4242');
  await other.close();

  guard.expect(409, '/vc-admin/org/customer/cards/del');
  guard.expectLog(/The card could not be deleted/);
  await chooseOption(page, '4242', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(moreOptions(page, '4242')).not.toHaveAttribute('aria-busy');
  await expect(cardRow(page, '4242')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.reload();
  await expectDefault(page, '4242');
});

test('everything can be done with the keyboard alone', async ({ page }) => {
  await signedIn(page.request);
  await page.goto(path);
  const { keyboard } = page;

  await page.getByRole('button', { name: 'Add card' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByLabel('Card number')).toBeVisible();
  await keyboard.press('Tab');
  await keyboard.type(cards.good);
  await keyboard.press('Tab');
  await keyboard.type('1234');
  await keyboard.press('Tab');
  await keyboard.type('123');
  await keyboard.press('Enter');
  await expectDefault(page, '4242');
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();

  await addCard(page, mastercard);
  await expectDefault(page, '4444');
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();
  await keyboard.press('Tab');
  await expect(moreOptions(page, '4242')).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Set as default' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(moreOptions(page, '4242')).toBeFocused();
  await keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(cardRow(page, '4242')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();
});
