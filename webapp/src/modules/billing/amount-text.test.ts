import { aConfig } from '@/testing/fixtures';
import { perInterval, priceText } from './amount-text';

describe('priceText and perInterval', () => {
  it('priceText has the symbol and the code of the currency', () => {
    const config = aConfig();
    const [usd] = config.currencies;
    if (!usd) throw new Error('no currency');
    expect(priceText(config, { amount: 58_800, currency: usd })).toBe('$588 USD');
    expect(priceText(config, { amount: 5_850, currency: usd })).toBe('$58.50 USD');
  });

  it('perInterval is "per year" for a yearly interval, otherwise "per month"', () => {
    expect(perInterval('yearly')).toBe('per year');
    expect(perInterval('monthly')).toBe('per month');
  });
});
