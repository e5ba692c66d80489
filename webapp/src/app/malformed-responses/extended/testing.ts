import { registration } from '@/api/account';
import { billing } from '@/api/billing';
import { details } from '@/api/billing-details';
import { cards } from '@/api/cards';
import { config } from '@/api/config';
import { invoicePage } from '@/api/invoices';
import { customer, organisation } from '@/api/organisation';
import { priceQuote } from '@/api/quote';
import { subscription } from '@/api/subscription';
import { userDetailResponse } from '@/api/user';
import { aCard } from '@/testing/card-provider';
import {
  aConfig,
  aCustomer,
  aLicense,
  aNextAction,
  anOrganisation,
  aUser,
  billingDetails,
  fullProvider,
} from '@/testing/fixtures';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import type { Json } from '@/testing/malformed';
import { type Call, choice, type ServedResponse, tryLater } from '../testing';

// The responses of the Go server, with the calls and fields that the specification does not name.

/** Converts a fixture to the JSON of a response. */
const json = (fixture: object): Json => JSON.parse(JSON.stringify(fixture));

export const periodEnd = '2027-11-21T00:00:00Z';
const address = {
  line1: '1 High Street',
  country: 'AU',
  state: '',
  postal_code: '',
  city: 'Sydney',
};
const cardData = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 };
const scheduledChange = { priceId: 'professional_yearly', ...choice, at: periodEnd };

export const license = aLicense({
  scheduled_change: scheduledChange,
  ends_at: null,
  plan_ends_at: periodEnd,
  hold: null,
  pause: { until: periodEnd },
  next_charge_at: periodEnd,
  invoiced: { ...aud(39600), at: periodEnd },
});
export const nextAction = aNextAction({
  kind: 'wait',
  instructions: [{ label: 'Reference', value: 'INV-1' }],
  until: periodEnd,
});

/** Returns the responses to the calls that load the user, the organisation and the customer. */
export const signedIn = (
  user: Parameters<typeof aUser>[0],
  provider = fullProvider,
): Record<Call, ServedResponse> => ({
  'GET /vc-admin/diy/config.json': {
    body: json(aConfig({ provider })),
    decoder: config,
  },
  'GET /vc-admin/user/detail': { body: json({ detail: aUser(user) }), decoder: userDetailResponse },
  'GET /vc-admin/org/detail/:id': {
    body: json(anOrganisation()),
    decoder: organisation,
  },
  'POST /vc-admin/org/customer': {
    body: json(aCustomer({ invoice_settings: { default_payment_method: aCard('4242') } })),
    decoder: customer,
  },
});

export const visitor: Record<Call, ServedResponse> = {
  'GET /vc-admin/diy/config.json': {
    body: json(aConfig({ provider: fullProvider })),
    decoder: config,
  },
  'GET /vc-admin/user/detail': {
    body: { detail: null },
    decoder: userDetailResponse,
  },
};

export const unknownOutcome = {
  text: 'We could not find out whether it went through',
  prefersServerMessage: true,
};
/** Returns the expectation that the screen could not be loaded when the response to the call is malformed. */
export const loadFailure = (call: Call) => ({ [call]: tryLater });

export const subscriptionResponse: ServedResponse = {
  body: json({
    id: 'sub_1',
    status: 'incomplete',
    latest_invoice: { id: 'in_1', payment_intent: null },
    outcome: 'processing',
    next: nextAction,
    charged_differs: { quoted: aud(34210), charged: aud(34200) },
  }),
  decoder: subscription,
};

const billedSubscription = {
  status: 'trialing',
  priceId: 'standard_yearly',
  interval: 'yearly',
  currency: 'AUD',
  amount: 42000,
  periodStart: '2026-11-21T00:00:00Z',
  periodEnd,
  trialEnd: periodEnd,
  endsAt: null,
  planEndsAt: periodEnd,
  hold: null,
  pause: { until: periodEnd },
  pending: {
    priceId: 'professional_yearly',
    amount: 39600,
    expiresAt: periodEnd,
    invoiceId: 'in_1',
  },
  scheduled: { priceId: 'professional_yearly', amount: 81600, at: periodEnd },
};

/** Returns the billing summary. `changes` replaces fields of its subscription. */
export const billingResponse = (changes: object = {}): ServedResponse => ({
  body: json({
    subscription: { ...billedSubscription, ...changes },
    next: { ...aud(42000), at: periodEnd },
    invoiced: { ...aud(42000), at: periodEnd },
    credit: aud(5000),
    card: aCard('4242'),
    end: { kind: 'period_end', at: periodEnd },
  }),
  decoder: billing,
});

export const invoicesResponse: ServedResponse = {
  body: json({
    data: [
      {
        id: 'in_1',
        number: 'VISION-0001',
        status: 'paid',
        createdAt: periodEnd,
        dueAt: periodEnd,
        paidAt: periodEnd,
        description: 'Standard',
        lines: [
          { description: 'Standard', amount: 42000, period: { start: periodEnd, end: periodEnd } },
        ],
        tax: aud(3818),
        total: aud(42000),
        amountDue: aud(40000),
        amountPaid: aud(40000),
        creditUsed: aud(2000),
        refunded: aud(1000),
        credited: aud(0),
        returned: aud(0),
        remaining: aud(0),
        billedTo: { name: 'Byron Clinic', address, taxId: null, purchaseOrder: '' },
        received: [
          { amount: aud(40000), excess: aud(0), at: periodEnd, method: { card: cardData } },
        ],
        movements: [
          {
            kind: 'payment',
            label: 'Paid',
            amount: aud(-40000),
            at: periodEnd,
            method: { card: cardData },
          },
        ],
        timeZone: 'Australia/Sydney',
        hasPdf: true,
      },
    ],
    hasMore: true,
  }),
  decoder: invoicePage,
};

export const billingCall: Call = 'GET /vc-admin/org/billing';
export const invoicesCall: Call = 'POST /vc-admin/org/invoices/list';
export const detailsCall: Call = 'GET /vc-admin/org/billing/details';
export const editDetailsCall: Call = 'POST /vc-admin/org/billing/edit';
export const quoteCall: Call = 'POST /vc-admin/org/subscription/quote';
export const showRegistrationCall: Call = 'POST /vc-admin/auth/verify/show';
export const showPreferencesCall: Call = 'POST /vc-admin/auth/emails/show';
export const showEmailChangeCall: Call = 'POST /vc-admin/auth/email/show';
export const showUndoCall: Call = 'POST /vc-admin/auth/undo/show';
export const showBillingEmailCall: Call = 'POST /vc-admin/auth/billing-email/show';

export const detailsResponse: ServedResponse = {
  body: json({
    ...billingDetails,
    unconfirmedEmail: 'bills@harbour.example',
    taxId: { type: 'au_abn', value: '51824753556' },
  }),
  decoder: details,
};
export const quoteResponse: ServedResponse = { body: json(aQuote()), decoder: priceQuote };
export const cardsResponse: Record<Call, ServedResponse> = {
  'GET /vc-admin/org/customer/cards': {
    body: json({ data: [aCard('4242')] }),
    decoder: cards,
  },
};

export const registrationResponse: Record<Call, ServedResponse> = {
  [showRegistrationCall]: {
    body: { org: 'Harbour', email: 'mara@harbour.example' },
    decoder: registration,
  },
};
