import { expect, type Locator, type Page } from '@playwright/test';

type Control = 'button' | 'link' | 'textbox' | 'searchbox' | 'combobox';

/** Presses Tab until the element with this role and name has the focus. */
export async function tabTo(page: Page, role: Control, name: string): Promise<void> {
  await tabToLocator(page, page.getByRole(role, { name, exact: true }));
}

/** Presses Tab until the field with this label has the focus. Password fields have no role. */
export async function tabToLabel(page: Page, label: string): Promise<void> {
  await tabToLocator(page, page.getByLabel(label, { exact: true }));
}

async function tabToLocator(page: Page, target: Locator): Promise<void> {
  const hasFocus = () =>
    target.evaluateAll((elements) => elements.some((element) => element.matches(':focus')));
  for (let presses = 0; presses < 60; presses++) {
    if (await hasFocus()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key did not reach ${target}`);
}

/** Expects a visible focus indicator on the focused element. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const indicator = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return { hasOutline: outlineStyle !== 'none' && outlineWidth !== '0px', boxShadow };
  });
  expect(indicator.hasOutline || indicator.boxShadow !== 'none', 'a visible focus').toBe(true);
}

/** Fills the card field by keyboard. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const texts = { 'Card number': number, Expiry: '1234', CVC: '123' };
  for (const [label, text] of Object.entries(texts)) {
    await tabTo(page, 'textbox', label);
    await expectVisibleFocus(page);
    await page.keyboard.type(text);
  }
}
