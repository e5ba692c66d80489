import { expect, type Locator, type Page } from '@playwright/test';

type Control = 'button' | 'link' | 'textbox' | 'combobox';

/** Goes on with the Tab key until the focus is where it should be, as somebody without a mouse. */
export async function tabTo(page: Page, role: Control, name: string): Promise<void> {
  await tabToOne(page, page.getByRole(role, { name, exact: true }));
}

/** The same for a field without a role, such as a password's. */
export async function tabToLabel(page: Page, label: string): Promise<void> {
  await tabToOne(page, page.getByLabel(label, { exact: true }));
}

async function tabToOne(page: Page, goal: Locator): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await goal.evaluateAll((all) => all.some((one) => one === document.activeElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key never came to ${goal}`);
}

/** Whoever has the focus shows it. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const outline = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return { outline: outlineStyle !== 'none' && outlineWidth !== '0px', shadow: boxShadow };
  });
  expect(outline.outline || outline.shadow !== 'none', 'a visible focus').toBe(true);
}

/** Goes to the card field, and through it. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const entries = { 'Card number': number, Expiry: '1234', CVC: '123' };
  for (const [label, text] of Object.entries(entries)) {
    await tabTo(page, 'textbox', label);
    await expectVisibleFocus(page);
    await page.keyboard.type(text);
  }
}
