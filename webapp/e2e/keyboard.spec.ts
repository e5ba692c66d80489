import { signedIn } from './support/api';
import { expectVisibleFocus, tabTo, tabToLabel, typeCard } from './support/keyboard';
import { cards, expectSuccessAndLogout } from './support/payment';
import { newPerson } from './support/person';
import { expect, test } from './support/test';

test('a plan is chosen and an organisation registered with the keyboard alone', async ({
  page,
}) => {
  const person = newPerson();
  const { keyboard } = page;
  await page.goto('/vc-admin/diy/plans?debug=true');
  await page.getByRole('radio', { name: 'Annual billing' }).waitFor();

  await keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await expectVisibleFocus(page);
  await page.getByRole('radio', { name: 'Annual billing' }).focus();
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Monthly billing' })).toBeChecked();
  await keyboard.press('ArrowLeft');
  await tabTo(page, 'button', 'Start your free trial');
  await expectVisibleFocus(page);
  await keyboard.press('Enter');
  await expect(page).toHaveURL(/regform\?product=standard/);

  const fields: [string, string][] = [
    ['First name', person.firstName],
    ['Last name', person.lastName],
    ['Organization', person.org],
    ['Email', person.email],
  ];
  await page.getByLabel('First name').waitFor();
  for (const [label, text] of fields) {
    await tabTo(page, 'textbox', label);
    await expectVisibleFocus(page);
    await keyboard.type(text);
  }
  for (const label of ['Password', 'Confirm Password']) {
    await tabToLabel(page, label);
    await keyboard.type(person.password);
  }
  await tabTo(page, 'combobox', 'State/Province');
  await keyboard.type('New South');
  await tabTo(page, 'textbox', 'Billing address line 1');
  await keyboard.type('12 Harbour Street');
  await tabTo(page, 'textbox', 'City');
  await keyboard.type('Sydney');
  await tabTo(page, 'textbox', 'Zip/Postal code');
  await keyboard.type('2000');
  await tabTo(page, 'textbox', 'Phone no.');
  await keyboard.type('+61 2 5550 0142');
  await keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Registration Success!' })).toBeVisible();
});

test('a subscription is paid for with the keyboard alone', async ({ page }) => {
  await signedIn(page.request);
  await page.goto('/vc-admin/dash');
  await page.getByRole('link', { name: 'Go on to payment' }).waitFor();

  await tabTo(page, 'link', 'Go on to payment');
  await page.keyboard.press('Enter');
  await page.getByLabel('Card number').waitFor();
  await typeCard(page, cards.good);
  await tabTo(page, 'button', 'Subscribe');
  await page.keyboard.press('Enter');

  await expectSuccessAndLogout(page);
});
