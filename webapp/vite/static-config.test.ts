import vectors from '../../testdata/vectors/prices.json';
import { config as decodeConfig } from '../src/api/config';
import { runVectors } from '../src/testing/run-vectors';
import { priceEntry, staticConfig } from './static-config';

interface Price {
  interval: 'monthly' | 'yearly';
  currency: { rounding: number };
  monthly: number | null;
  yearly: number | null;
}

const figureCases = vectors.map(({ name, in: input, want }) => ({
  name,
  in: input,
  want: {
    amount: want.amount,
    perMonth: want.perMonth,
    annual: want.annual,
    yearlySaving: want.yearlySaving,
  },
}));

describe('the figures of a price', () => {
  runVectors(figureCases, ({ interval, currency, monthly, yearly }: Price) => {
    const entry = priceEntry(monthly, yearly, currency);
    return {
      amount: entry[interval],
      perMonth: entry.perMonth[interval],
      annual: entry.annual[interval],
      yearlySaving: entry.yearlySaving,
    };
  });
});

describe('the static configuration', () => {
  it('has the currencies, prices and defaults of the catalogue', () => {
    const { catalogue, currencies, defaults } = staticConfig({});
    expect(currencies.map(({ code }) => code)).toEqual(['USD', 'NZD', 'AUD', 'EUR', 'GBP']);
    expect(catalogue.prices.professional?.AUD).toEqual({
      monthly: 7600,
      yearly: 81600,
      perMonth: { monthly: 7600, yearly: 6800 },
      annual: { monthly: 91200, yearly: 81600 },
      yearlySaving: 10,
    });
    expect(catalogue.prices.enterprise?.AUD).toMatchObject({ monthly: null, yearlySaving: 0 });
    expect(defaults).toEqual({ currency: 'AUD', interval: 'yearly', country: 'AU' });
  });

  it('declares no capabilities', () => {
    expect(staticConfig({}).provider).toEqual({ kind: 'stripe' });
  });

  it('has the publishable key and the contact from the environment', () => {
    const { provider, contact } = staticConfig({
      DIY_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      DIY_SALES_EMAIL: 'hello@clinic.example',
      DIY_SALES_PHONE: '+44 20 5550 0100',
    });
    expect(provider.publishableKey).toBe('pk_test_1');
    expect(contact).toEqual({ email: 'hello@clinic.example', phone: '+44 20 5550 0100' });
  });

  it('is decoded by the app without loss', () => {
    const config = staticConfig({});
    expect(decodeConfig(JSON.parse(JSON.stringify(config)), 'config.json')).toMatchObject(config);
  });
});
