import type { Page } from '@playwright/test';

/** An amount with a symbol: '$816', '$1,234.50'. */
const amountPattern = /[$£€][\d,]+(\.\d+)?/g;

/** Returns the amounts of a page if some of them have decimals and others have none. */
export async function mixedAmountFormats(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText();
  const amounts = new Set([...text.matchAll(amountPattern)].map(([amount]) => amount));
  const withDecimals = [...amounts].filter((amount) => amount.includes('.'));
  return withDecimals.length === 0 || withDecimals.length === amounts.size ? [] : [...amounts];
}
