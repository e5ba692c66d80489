import type { Page } from '@playwright/test';

/** Returns the controls without a visible focus indicator. */
export async function invisibleFocus(page: Page): Promise<string[]> {
  await page.keyboard.press('Tab'); // switches :focus-visible on
  return page.evaluate(() => {
    const scope = document.querySelector('dialog:modal') ?? document.body;
    const width = (style: CSSStyleDeclaration) =>
      style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineWidth);
    const hidden: string[] = [];
    for (const control of scope.querySelectorAll<HTMLElement>('a[href], button, input, select')) {
      control.focus({ preventScroll: true });
      if (document.activeElement !== control) continue; // disabled, or not shown
      const field = control.closest('.StripeElement'); // has the outline of its inputs
      const hasOutline = [control, ...(field ? [field] : [])].some(
        (element) => width(getComputedStyle(element)) >= 2,
      );
      if (!hasOutline) hidden.push(control.outerHTML.slice(0, 200));
    }
    return hidden;
  });
}
