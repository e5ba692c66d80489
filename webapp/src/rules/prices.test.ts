import { currencyInfo, runVectors, type VectorCurrency } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/prices.json';
import { formatWithSymbol } from './money';
import { annual, note, perMonth, priceIdOf, priceOf } from './prices';
import type { Interval } from './types';

interface PriceCase {
  product: string;
  interval: Interval;
  currency: VectorCurrency;
  monthly: number | null;
  yearly: number | null;
  trialPeriodDays: number;
}

describe('the figures of a price', () => {
  runVectors(vectors, ({ product, interval, currency, monthly, yearly, ...plan }: PriceCase) => {
    const info = currencyInfo(currency);
    const table = { [product]: { [info.code]: { monthly, yearly } } };
    const ref = { product, interval, currency: info.code };
    const figures = {
      amount: priceOf(table, ref),
      perMonth: perMonth(table, ref, info),
      annual: annual(table, ref),
    };
    const text = (minor: number | null) => (minor === null ? null : formatWithSymbol(minor, info));
    return {
      priceId: priceIdOf(ref),
      ...figures,
      shown: figures.amount === null ? null : mapped(figures, text),
      note: note(table, ref, info, plan.trialPeriodDays),
    };
  });

  it.each([
    { product: 'basic', interval: 'yearly', currency: 'AUD' },
    { product: 'standard', interval: 'yearly', currency: 'JPY' },
    { product: 'constructor', interval: 'monthly', currency: 'name' },
  ] as const)('are not there for %j', (ref) => {
    const table = { standard: { AUD: { monthly: 3900, yearly: 42000 } } };
    expect(priceOf(table, ref)).toBeNull();
    expect(annual(table, ref)).toBeNull();
  });
});

function mapped<In, Out>(figures: Record<string, In>, to: (figure: In) => Out) {
  return Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, to(figure)]));
}
