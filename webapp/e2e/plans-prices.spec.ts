import { readFileSync } from 'node:fs';
import { planCard, setPrices } from './support/plans';
import { expect, test } from './support/test';

interface PriceCase {
  in: { product: string; interval: 'monthly' | 'yearly'; currency: { code: string } };
  want: { shown?: { perMonth: string }; note?: string };
}

/** The same cases that both languages' rules run. */
const vectors = new URL('../../testdata/vectors/prices.json', import.meta.url);
const cases: PriceCase[] = JSON.parse(readFileSync(vectors, 'utf8'));

const plans = { standard: 'Standard', professional: 'Professional' };

for (const currency of ['USD', 'NZD', 'AUD', 'EUR', 'GBP']) {
  for (const interval of ['monthly', 'yearly'] as const) {
    test(`${currency}, ${interval}: the plans cost what the price table says`, async ({ page }) => {
      await page.goto('/vc-admin/diy/plans?debug=true');
      await setPrices(page, { plan: '', interval, currency });
      for (const [product, plan] of Object.entries(plans)) {
        const price = cases.find(
          ({ in: given }) =>
            given.product === product &&
            given.interval === interval &&
            given.currency.code === currency,
        );
        expect(price?.want.note, `a case for ${product}`).toBeDefined();
        await expect(planCard(page, plan)).toContainText(String(price?.want.shown?.perMonth));
        await expect(planCard(page, plan)).toContainText(String(price?.want.note));
      }
      for (const plan of ['Multi-User', 'Enterprise']) {
        await expect(planCard(page, plan)).toContainText('Price on application');
        await expect(planCard(page, plan)).not.toContainText('per month');
      }
    });
  }
}
