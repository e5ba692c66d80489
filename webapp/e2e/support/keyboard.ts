import { expect, type Locator, type Page } from '@playwright/test';

type Control = 'button' | 'link' | 'textbox' | 'combobox';

/** Presses Tab until the element with this role and name has the focus. */
export async function tabTo(page: Page, role: Control, name: string): Promise<void> {
  await tabToLocator(page, page.getByRole(role, { name, exact: true }));
}

/** The same for a field without a role, such as a password field. */
export async function tabToLabel(page: Page, label: string): Promise<void> {
  await tabToLocator(page, page.getByLabel(label, { exact: true }));
}

async function tabToLocator(page: Page, goal: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await goal.evaluateAll((all) => all.some((one) => one === document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key did not reach ${goal}`);
}

/** Expects a visible focus indicator on the focused element. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const outline = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return { outline: outlineStyle !== 'none' && outlineWidth !== '0px', shadow: boxShadow };
  });
  expect(outline.outline || outline.shadow !== 'none', 'a visible focus').toBe(true);
}

/** Types a card by keyboard. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const entries = { 'Card number': number, Expiry: '1234', CVC: '123' };
  for (const [label, text] of Object.entries(entries)) {
    await tabTo(page, 'textbox', label);
    await expectVisibleFocus(page);
    await page.keyboard.type(text);
  }
}
