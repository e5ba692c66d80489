import type {
  BilledSubscription,
  BillingDetails,
  Capability,
  Config,
  Customer,
  License,
  NextAction,
  OpenPayment,
  Order,
  Organisation,
  ProcessingPayment,
  Subscription,
  UserDetail,
} from '@/api';
import type { ScreenConfig } from '@/modules/config/config-store';
import { staticConfig } from '../../vite/static-config';

/** All capabilities. The type check fails if one is missing. */
const capabilities = Object.keys({
  account: true,
  activity: true,
  saved_methods: true,
  quotes: true,
  change_now: true,
  change_now_cheaper: true,
  at_period_end: true,
  method_page: true,
  billing: true,
  billing_details: true,
  billing_emails: true,
  charge_reminders: true,
  email_preferences: true,
  invoices: true,
  members: true,
  open_payments: true,
  passkeys: true,
  password_reset: true,
  password_rules: true,
  plan_choice: true,
  privacy: true,
  retry_invoice: true,
  transfer_reports: true,
  two_step: true,
  verification: true,
} satisfies Record<Capability, true>) as Capability[];

/** Returns all capabilities except these. */
export const capabilitiesWithout = (...excluded: Capability[]): Capability[] =>
  capabilities.filter((capability) => !excluded.includes(capability));

/** A provider with all capabilities. */
export const fullProvider: Config['provider'] = {
  kind: 'fake',
  entry: 'card_field',
  capabilities,
};

/** A provider without quotes, so that amounts come from the catalogue. */
export const plainProvider: Config['provider'] = {
  ...fullProvider,
  capabilities: capabilitiesWithout('at_period_end', 'quotes'),
};

/** Returns the catalogue of a server whose provider has no trials. */
export const catalogueWithoutTrials = (): Config['catalogue'] => {
  const { catalogue } = staticConfig({});
  const plans = catalogue.plans.map((plan) => ({ ...plan, trialPeriodDays: 0 }));
  return { ...catalogue, plans };
};

/** Returns the catalogue of a server with a plan that has no trial. */
export const catalogueWithPlanWithoutTrial = (): Config['catalogue'] => {
  const { catalogue } = staticConfig({});
  const plans = catalogue.plans.map((plan, index) =>
    index === 0 ? { ...plan, trialPeriodDays: 0 } : plan,
  );
  return { ...catalogue, plans };
};

/** Returns the configuration with the plans and prices of the embedded catalogue. */
export const aConfig = (changes: Partial<ScreenConfig> = {}): ScreenConfig => ({
  ...staticConfig({}),
  timeZone: undefined,
  provider: plainProvider,
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
      {
        title: 'Company',
        links: [
          { label: 'About us', url: 'https://www.vision.example/about' },
          { label: 'Terms', url: 'https://www.vision.example/terms' },
          { label: 'Privacy', url: 'https://www.vision.example/privacy' },
        ],
      },
    ],
    addressLines: ['Level 3, 20 Example Street', 'Sydney NSW 2000', 'Australia'],
    socialLinks: [{ label: 'LinkedIn', url: 'https://social.example/vision' }],
    badges: ['ISO 27001', 'GDPR'],
    copyrightYear: 2022,
  },
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

/** Returns a user. With a license or a past license the trial is used, as the server reports it. */
export const aUser = (changes: Partial<UserDetail> = {}): UserDetail => ({
  now: Math.floor(Date.now() / 1000),
  id: 'usr_1',
  orgId: 'org_1',
  firstName: 'Ada',
  lastName: 'Byron',
  email: 'ada@clinic.example',
  license: null,
  pastLicense: null,
  ...trialsOf(changes),
  ...changes,
});

function trialsOf({
  license,
  pastLicense,
}: Partial<UserDetail>): Pick<UserDetail, 'trialUsed' | 'trials'> {
  if (pastLicense || (license && !license.isDev)) return { trialUsed: true, trials: {} };
  const trial = { days: 7, endsAt: new Date(Date.now() + 7 * 86_400_000).toISOString() };
  return { trialUsed: false, trials: { standard: trial, professional: trial } };
}

/** The organisation in a response. */
export type OrganisationResponse = Organisation & { id: string };

export const anOrganisation = (
  changes: Partial<OrganisationResponse> = {},
): OrganisationResponse => ({
  id: 'org_1',
  name: 'Byron Clinic',
  stripeCustomerId: 'cus_1',
  metadata: { currency: 'AUD' },
  ...changes,
});

/** The billing details after a registration. */
export const billingDetails: BillingDetails = {
  legalName: 'Byron Clinic',
  billingEmail: '',
  phone: '+61 2 5550 0101',
  purchaseOrder: '',
  address: {
    line1: '1 High Street',
    line2: '',
    city: 'Sydney',
    state: 'New South Wales',
    postal_code: '2000',
    country: 'AU',
  },
  taxId: null,
};

export const aCustomer = (changes: Partial<Customer> = {}): Customer => ({
  id: 'cus_1',
  currency: null,
  metadata: { currency: 'AUD' },
  invoice_settings: { default_payment_method: null },
  ...changes,
});

type SubscriptionParts = Partial<Omit<Subscription, 'latest_invoice'>> & {
  /** The status of the payment intent. */
  payment?: string;
  secret?: string;
};

/**
 * Returns the response of a back end that follows only the specification: a subscription with the invoice in_1. If a
 * payment status is given, the invoice has the payment intent pi_1.
 */
export function aSubscription({
  payment,
  secret = 'pi_1_secret',
  ...parts
}: SubscriptionParts): Subscription {
  const status = payment as 'succeeded';
  return {
    id: 'sub_1',
    status: 'incomplete',
    latest_invoice: {
      id: 'in_1',
      payment_intent: payment ? { id: 'pi_1', status, client_secret: secret } : null,
    },
    ...parts,
  };
}

export const aNextAction = (changes: Partial<NextAction> = {}): NextAction => ({
  kind: 'confirm_payment',
  instructions: [],
  invoice: 'in_1',
  until: null,
  reason: '',
  ...changes,
});

/** Returns an order of Professional that waits for approval. */
export const anOrder = (changes: Partial<Order> = {}): Order => ({
  priceId: 'professional_yearly',
  since: '2026-11-21T00:00:00Z',
  until: '2026-12-21T00:00:00Z',
  reason: 'We check your order before your plan starts. You need not do anything.',
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

export const overduePayment = anOpenPayment();

export const planChangePayment = anOpenPayment({
  kind: 'plan_change',
  amount: 39600,
  nextAttemptAt: null,
  expiresAt: '2026-11-22T10:30:00Z',
  priceId: 'professional_yearly',
});

export const owedPayment = anOpenPayment({ kind: 'owed', nextAttemptAt: null });

/** Returns a first payment that is processing. */
export const aProcessingPayment = (
  changes: Partial<ProcessingPayment> = {},
): ProcessingPayment => ({
  kind: 'first_payment',
  invoiceId: 'in_1',
  amount: 81600,
  currency: 'AUD',
  priceId: 'professional_yearly',
  method: {
    kind: 'bank_debit',
    label: 'Bank account •••• 6819',
    card: { brand: '', last4: '', exp_month: 0, exp_year: 0 },
  },
  expectedBy: '2026-11-28T12:00:00Z',
  ...changes,
});

export const authenticationPayment = anOpenPayment({
  kind: 'authentication',
  invoiceId: '',
  amount: 0,
  since: null,
  nextAttemptAt: null,
});

/** The end of the period of `aBilledSubscription`. */
export const periodEnd = '2027-11-21T00:00:00Z';

/** An active yearly subscription of Professional. */
export const aBilledSubscription = (
  changes: Partial<BilledSubscription> = {},
): BilledSubscription => ({
  status: 'active',
  priceId: 'professional_yearly',
  interval: 'yearly',
  currency: 'AUD',
  amount: 81600,
  periodStart: '2026-11-21T00:00:00Z',
  periodEnd,
  trialEnd: null,
  endsAt: null,
  planEndsAt: null,
  hold: null,
  pending: null,
  scheduled: null,
  ...changes,
});
