import type { Page } from '@playwright/test';
import { signInOnPaidPlan } from './support/api';
import { addCard, cardOptionsButton, chooseOption } from './support/cards';
import { tabTo } from './support/keyboard';
import { signInWithDeclinedChange } from './support/open-payment';
import { cards } from './support/payment';
import { expect, test } from './support/test';

/** Returns the controls that Tab reaches, in the order of the page. Tab reaches one radio button of each group. */
const tabbableControls = (page: Page) =>
  page.evaluateHandle(() => {
    const selector = 'a[href], button, input, select, textarea, summary';
    return [...document.querySelectorAll<HTMLElement>(selector)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !(element as HTMLInputElement).disabled && element.tabIndex >= 0)
      .filter((element) => {
        if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return true;
        const group = [...document.getElementsByName(element.name)] as HTMLInputElement[];
        return element === (group.find(({ checked }) => checked) ?? group[0]);
      });
  });

/** Presses Tab from the top of the page to its end, and expects every control in order. */
async function expectTabOrder(page: Page): Promise<void> {
  const expectedControls = await tabbableControls(page);
  const focusedControls = await page.evaluateHandle(() => {
    const elements: Element[] = [];
    document.addEventListener('focusin', ({ target }) => elements.push(target as Element));
    return elements;
  });
  const count = await expectedControls.evaluate(({ length }) => length);
  for (let presses = 0; presses < count; presses++) await page.keyboard.press('Tab');

  // Both lists are read at the same time, because attributes of a control may change.
  const [expectedHtml, actualHtml] = await expectedControls.evaluate(
    (elements, focusedElements) =>
      [elements, focusedElements].map((list) =>
        list.map(({ outerHTML }) => outerHTML.slice(0, 120)),
      ),
    focusedControls,
  );
  expect(actualHtml, page.url()).toEqual(expectedHtml);
}

test('keyboard: Tab reaches every control of the billing screens in order', async ({ page }) => {
  await signInOnPaidPlan(page);
  for (const screen of ['dash', 'diy/end', 'diy/invoices', 'diy/details', 'diy/cards']) {
    await page.goto(`/vc-admin/${screen}`);
    await expect(page.getByRole('contentinfo')).toBeVisible(); // the page is loaded
    await expectTabOrder(page);
  }
});

test('keyboard: Keep Professional drops a plan change that waits for its payment', async ({
  page,
}) => {
  await signInWithDeclinedChange(page);
  await page.goto('/vc-admin/diy/pay');
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await expectTabOrder(page);
  await page.getByRole('button', { name: /^Keep Professional/ }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('heading', { name: 'The change was dropped' })).toBeFocused();
});

test('keyboard: Escape closes menus and dialogs and returns the focus', async ({ page }) => {
  await signInOnPaidPlan(page);
  await page.goto('/vc-admin/diy/cards');
  await addCard(page, cards.mastercard);
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();
  const accountMenuButton = page.getByRole('button', { name: /Physiotherapy/ });
  await accountMenuButton.focus();
  await page.keyboard.press('Enter');
  await tabTo(page, 'link', 'Invoices');
  await page.keyboard.press('Escape');
  await expect(accountMenuButton).toBeFocused();

  const optionsButton = cardOptionsButton(page, '4242');
  await optionsButton.focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('menuitem', { name: 'Set as default' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(optionsButton).toBeFocused();

  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(optionsButton).toBeFocused();
  await chooseOption(page, '4242', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Saved Card(s)' })).toBeFocused();
});

test('keyboard: the focus moves to the heading of a new screen and to an invalid field', async ({
  page,
}) => {
  await signInOnPaidPlan(page);
  await page.goto('/vc-admin/dash');
  for (const [link, heading] of [
    ['All invoices', 'Invoices'],
    ['Dashboard', 'Dashboard'],
    ['Change billing details', 'Billing details'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).first().waitFor();
    await tabTo(page, 'link', link);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused();
  }
  const legalName = page.getByLabel('Legal name');
  await legalName.fill('');
  await page.keyboard.press('Enter');
  await expect(legalName).toBeFocused();
  await expect(legalName).toHaveAccessibleDescription('Legal name is required');
  await page.keyboard.type('Harbour Clinic Pty Ltd');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your next invoice has these details')).toBeVisible();
});
