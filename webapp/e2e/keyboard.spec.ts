import type { Page } from '@playwright/test';
import { signedIn } from './support/api';
import { cards, expectSuccessAndLogout } from './support/payment';
import { newPerson } from './support/person';
import { expect, test } from './support/test';

/** Goes on with the Tab key until the focus is where it should be, as somebody without a mouse. */
async function tabTo(page: Page, role: 'button' | 'link' | 'textbox' | 'combobox', name: string) {
  const goal = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 60; presses++) {
    if (await goal.evaluateAll((all) => all.some((one) => one === document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key never came to ${name}`);
}

/** Whoever has the focus shows it. */
async function expectVisibleFocus(page: Page) {
  const outline = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return { outline: outlineStyle !== 'none' && outlineWidth !== '0px', shadow: boxShadow };
  });
  expect(outline.outline || outline.shadow !== 'none', 'a visible focus').toBe(true);
}

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
    const field = page.getByLabel(label, { exact: true });
    for (let presses = 0; presses < 5; presses++) {
      await keyboard.press('Tab');
      if (await field.evaluate((one) => one === document.activeElement)) break;
    }
    await expect(field).toBeFocused();
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
  await tabTo(page, 'textbox', 'Card number');
  await expectVisibleFocus(page);
  await page.keyboard.type(cards.good);
  await tabTo(page, 'textbox', 'Expiry');
  await page.keyboard.type('1234');
  await tabTo(page, 'textbox', 'CVC');
  await page.keyboard.type('123');
  await tabTo(page, 'button', 'Subscribe');
  await page.keyboard.press('Enter');

  await expectSuccessAndLogout(page);
});
