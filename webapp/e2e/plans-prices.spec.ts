import { readFileSync } from 'node:fs';
import { planCard, setPrices } from './support/plans';
import { expect, test } from './support/test';

interface PriceCase {
  in: { product: string; interval: 'monthly' | 'yearly'; currency: { code: string } };
  want: { shown?: { perMonth: string } };
}

/** The cases that the rules in Go and TypeScript run. */
const vectors = new URL('../../testdata/vectors/prices.json', import.meta.url);
const cases: PriceCase[] = JSON.parse(readFileSync(vectors, 'utf8'));

const plans = { standard: 'Standard', professional: 'Professional' };

test('the plans show the prices of the vectors for every currency and interval', async ({
  page,
}) => {
  await page.goto('/vc-admin/diy/plans?debug=true');
  for (const plan of ['Multi-User', 'Enterprise']) {
    await expect(planCard(page, plan)).toContainText('Price on application');
    await expect(planCard(page, plan)).not.toContainText('per month');
  }
  for (const currency of ['USD', 'NZD', 'AUD', 'EUR', 'GBP']) {
    for (const interval of ['monthly', 'yearly'] as const) {
      await setPrices(page, { plan: '', interval, currency });
      for (const [product, plan] of Object.entries(plans)) {
        const price = cases.find(
          ({ in: given }) =>
            given.product === product &&
            given.interval === interval &&
            given.currency.code === currency,
        );
        expect(price?.want.shown, `a case for ${product}`).toBeDefined();
        await expect(planCard(page, plan)).toContainText(String(price?.want.shown?.perMonth));
      }
    }
  }
});
