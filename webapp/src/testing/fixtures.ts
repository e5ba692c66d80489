import type {
  Catalogue,
  Config,
  Currency,
  Customer,
  License,
  OpenPayment,
  Organisation,
  UserDetail,
} from '@/api';
import data from '../../../domain/catalogue/data/catalogue.json';

const currency = (code: string, name: string, symbol: string, native: string): Currency => ({
  code,
  name,
  name_plural: `${name}s`,
  symbol,
  symbol_native: native,
  decimal_digits: 2,
  minor_digits: 2,
  rounding: 0,
});

type Prices = Catalogue['prices'];

const minor = (amount: number | null) => (amount === null ? null : amount * 100);

/** The product's own plans and prices, as the server sends them. */
const catalogue: Catalogue = {
  plans: data.plans,
  rows: data.rows,
  taxes: data.taxes,
  prices: Object.fromEntries(
    Object.entries(data.prices).map(([plan, table]) => [
      plan,
      Object.fromEntries(
        Object.entries(table).map(([code, { monthly, yearly }]) => [
          code,
          { monthly: minor(monthly), yearly: minor(yearly) },
        ]),
      ),
    ]),
  ) as Prices,
};

/** The response of config.json. */
export const aConfig = (changes: Partial<Config> = {}): Config => ({
  catalogue,
  currencies: [
    currency('USD', 'US dollar', '$', '$'),
    currency('NZD', 'New Zealand dollar', 'NZ$', '$'),
    currency('AUD', 'Australian dollar', 'AU$', '$'),
    currency('EUR', 'Euro', '€', '€'),
    currency('GBP', 'British pound', '£', '£'),
  ],
  defaults: { currency: 'AUD', interval: 'yearly', country: 'AU' },
  provider: { kind: 'fake' },
  contact: { email: 'sales@vision.example', phone: '+61 2 5550 0100' },
  branding: {
    name: 'Vision',
    company: 'Vision Telehealth Pty Ltd',
    headerLinks: [{ label: 'Solutions', url: 'https://www.vision.example/solutions' }],
    footerColumns: [
      {
        title: 'Product',
        links: [
          { label: 'How it works', url: 'https://www.vision.example/how-it-works' },
          { label: 'Security', url: 'https://www.vision.example/security' },
        ],
      },
      { title: 'Company', links: [{ label: 'About us', url: 'https://www.vision.example/about' }] },
    ],
    addressLines: ['Level 3, 20 Example Street', 'Sydney NSW 2000', 'Australia'],
    socialLinks: [{ label: 'LinkedIn', url: 'https://social.example/vision' }],
    badges: ['ISO 27001', 'GDPR'],
    copyrightYear: 2022,
  },
  live: false,
  loginQuery: {},
  ...changes,
});

export const aLicense = (changes: Partial<License> = {}): License => {
  const interval = changes.interval ?? 'yearly';
  return {
    id: 'sub_1',
    interval,
    currency: 'AUD',
    isDev: false,
    raw: {
      status: 'active',
      currency: 'aud',
      current_period_end: 1_800_000_000,
      trial_end: null,
      metadata: { name: 'standard', interval },
    },
    ...changes,
  };
};

export const aUser = (changes: Partial<UserDetail> = {}): UserDetail => ({
  now: Math.floor(Date.now() / 1000),
  id: 'usr_1',
  orgId: 'org_1',
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@clinic.example',
  license: null,
  pastLicense: null,
  ...changes,
});

export const anOrganisation = (changes: Partial<Organisation> = {}): Organisation => ({
  id: 'org_1',
  name: 'Byron Clinic',
  stripeCustomerId: 'cus_1',
  billing_address: {
    line1: '1 High Street',
    city: 'Sydney',
    state: 'New South Wales',
    postal_code: '2000',
    country: 'AU',
  },
  phone: '+61 2 5550 0101',
  metadata: { currency: 'AUD' },
  ...changes,
});

export const aCustomer = (changes: Partial<Customer> = {}): Customer => ({
  id: 'cus_1',
  currency: null,
  metadata: { currency: 'AUD' },
  invoice_settings: { default_payment_method: null },
  ...changes,
});

export const anOpenPayment = (changes: Partial<OpenPayment> = {}): OpenPayment => ({
  kind: 'overdue',
  subscriptionId: 'sub_1',
  invoiceId: 'in_1',
  amount: 3900,
  currency: 'AUD',
  since: '2026-11-21T00:00:00Z',
  nextAttemptAt: '2026-11-24T00:00:00Z',
  expiresAt: null,
  priceId: 'standard_monthly',
  reason: '',
  ...changes,
});

export const overdue = anOpenPayment();

export const planChange = anOpenPayment({
  kind: 'plan_change',
  amount: 39600,
  nextAttemptAt: null,
  expiresAt: '2026-11-22T10:30:00Z',
  priceId: 'professional_yearly',
});

export const authentication = anOpenPayment({
  kind: 'authentication',
  invoiceId: '',
  amount: 0,
  since: null,
  nextAttemptAt: null,
});
