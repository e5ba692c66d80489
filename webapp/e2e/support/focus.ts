import type { Page } from '@playwright/test';

/** The controls that do not show when they have the focus of somebody with a keyboard. */
export async function hiddenFocus(page: Page): Promise<string[]> {
  await page.keyboard.press('Tab'); // from here on, the browser takes the visitor for one
  return page.evaluate(() => {
    const scope = document.querySelector('dialog:modal') ?? document.body;
    const width = (style: CSSStyleDeclaration) =>
      style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineWidth);
    const hidden: string[] = [];
    for (const control of scope.querySelectorAll<HTMLElement>('a[href], button, input, select')) {
      control.focus({ preventScroll: true });
      if (document.activeElement !== control) continue; // disabled, or not shown
      const field = control.closest('.StripeElement'); // shows it for the inputs within
      const shown = [control, ...(field ? [field] : [])].some(
        (one) => width(getComputedStyle(one)) >= 2,
      );
      if (!shown) hidden.push(control.outerHTML.slice(0, 200));
    }
    return hidden;
  });
}
