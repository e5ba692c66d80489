import type { Page } from '@playwright/test';

/** Returns the controls that have no outline of at least 2 pixels when they are focused. */
export async function controlsWithoutOutline(page: Page): Promise<string[]> {
  await page.keyboard.press('Tab'); // switches :focus-visible on
  return page.evaluate(() => {
    const scope = document.querySelector('dialog:modal') ?? document.body;
    const outlineWidth = (style: CSSStyleDeclaration) =>
      style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineWidth);
    const controls: string[] = [];
    for (const control of scope.querySelectorAll<HTMLElement>('a[href], button, input, select')) {
      control.focus({ preventScroll: true });
      if (document.activeElement !== control) continue; // disabled, or not shown
      const field = control.closest('.StripeElement'); // it has the outline of its inputs
      const hasOutline = [control, ...(field ? [field] : [])].some(
        (element) => outlineWidth(getComputedStyle(element)) >= 2,
      );
      if (!hasOutline) controls.push(control.outerHTML.slice(0, 200));
    }
    return controls;
  });
}
