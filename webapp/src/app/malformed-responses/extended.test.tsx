import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { account, billingEmail, emailPreferences, registration } from '@/api/account';
import { billing } from '@/api/billing';
import { details } from '@/api/billing-details';
import { cards } from '@/api/cards';
import { config } from '@/api/config';
import { ignored } from '@/api/decode';
import { invoicePage } from '@/api/invoices';
import { customer, organisation } from '@/api/organisation';
import { priceQuote } from '@/api/quote';
import { subscription } from '@/api/subscription';
import { response as userDetail } from '@/api/user';
import { routes } from '@/lib/paths';
import { aCard } from '@/testing/card-provider';
import {
  aConfig,
  aCustomer,
  aLicense,
  aNextAction,
  anOpenPayment,
  anOrganisation,
  aQuote,
  aUser,
  billingDetails,
  fullProvider,
  planChange,
} from '@/testing/fixtures';
import type { Json } from '@/testing/malformed';
import { type Call, type Scenario, type Served, testMalformedResponses } from './testing';

// The calls and fields of the Go server that the specification does not name, on every screen that uses them.

/** The same calls for a screen that shows no more of the user than other screens. */
const whole = (calls: Record<Call, Served>): Record<Call, Served> =>
  Object.fromEntries(
    Object.entries(calls).map(([call, served]) => [call, { ...served, whole: true }]),
  );

/** A fixture as the JSON of a response. */
const json = (fixture: object): Json => JSON.parse(JSON.stringify(fixture));

const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
const query = `?${new URLSearchParams({ ...choice, debug: 'true' })}`;
const at = '2027-11-21T00:00:00Z';
const aud = (amount: number) => ({ amount, currency: 'AUD' });
const scheduled = { priceId: 'professional_yearly', ...choice, at };

const license = aLicense({
  scheduled_change: scheduled,
  ends_at: null,
  plan_ends_at: at,
  hold: null,
  pause: { until: at },
  next_charge_at: at,
  invoiced: { ...aud(39600), at },
});
const next = aNextAction({
  kind: 'wait',
  instructions: [{ label: 'Reference', value: 'INV-1' }],
  until: at,
});

const signedIn = (
  user: Parameters<typeof aUser>[0],
  provider = fullProvider,
): Record<Call, Served> => ({
  'GET /vc-admin/diy/config.json': {
    body: json(aConfig({ provider })),
    decoder: config,
    whole: true,
  },
  'GET /vc-admin/user/detail': { body: json({ detail: aUser(user) }), decoder: userDetail },
  'GET /vc-admin/org/detail/:id': {
    body: json(anOrganisation()),
    decoder: organisation,
    whole: true,
  },
  'POST /vc-admin/org/customer': {
    body: json(aCustomer({ invoice_settings: { default_payment_method: aCard('4242') } })),
    decoder: customer,
    whole: true,
  },
});

const visitor: Record<Call, Served> = {
  'GET /vc-admin/diy/config.json': {
    body: json(aConfig({ provider: fullProvider })),
    decoder: config,
    whole: true,
  },
  'GET /vc-admin/user/detail': { body: { detail: null }, decoder: userDetail, whole: true },
};

const later = { text: 'Please try again later!' };
const unknown = { text: 'We could not find out whether it went through', orMessage: true };
const loadFails = (call: Call) => ({ [call]: later });

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

const changed: Served = {
  body: json({
    id: 'sub_1',
    status: 'incomplete',
    latest_invoice: { id: 'in_1', payment_intent: null },
    outcome: 'processing',
    next,
    charged_differs: { quoted: aud(34210), charged: aud(34200) },
  }),
  decoder: subscription,
};

const billed = {
  status: 'trialing',
  priceId: 'standard_yearly',
  interval: 'yearly',
  currency: 'AUD',
  amount: 42000,
  periodStart: '2026-11-21T00:00:00Z',
  periodEnd: at,
  trialEnd: at,
  endsAt: null,
  planEndsAt: at,
  hold: null,
  pause: { until: at },
  pending: { priceId: 'professional_yearly', amount: 39600, expiresAt: at, invoiceId: 'in_1' },
  scheduled: { priceId: 'professional_yearly', amount: 81600, at },
};

const billingOf = (changes: object = {}): Served => ({
  body: json({
    subscription: { ...billed, ...changes },
    next: { ...aud(42000), at },
    invoiced: { ...aud(42000), at },
    credit: aud(5000),
    card: aCard('4242'),
    end: { kind: 'period_end', at },
  }),
  decoder: billing,
});

const invoices: Served = {
  body: json({
    data: [
      {
        id: 'in_1',
        number: 'VISION-0001',
        status: 'paid',
        createdAt: at,
        dueAt: at,
        paidAt: at,
        description: 'Standard',
        lines: [{ description: 'Standard', amount: 42000, period: { start: at, end: at } }],
        tax: aud(3818),
        total: aud(42000),
        amountDue: aud(40000),
        amountPaid: aud(40000),
        creditUsed: aud(2000),
        refunded: aud(1000),
        credited: aud(0),
        remaining: aud(0),
        timeZone: 'Australia/Sydney',
        hasPdf: true,
      },
    ],
    hasMore: true,
  }),
  decoder: invoicePage,
};

const billingCall: Call = 'GET /vc-admin/org/billing';
const invoicesCall: Call = 'POST /vc-admin/org/invoices/list';
const detailsCall: Call = 'GET /vc-admin/org/billing/details';
const editCall: Call = 'POST /vc-admin/org/billing/edit';
const quoteCall: Call = 'POST /vc-admin/org/subscription/quote';
const showCall: Call = 'POST /vc-admin/auth/verify/show';
const showPreferencesCall: Call = 'POST /vc-admin/auth/emails/show';
const showEmailCall: Call = 'POST /vc-admin/auth/billing-email/show';

const billingDetailsServed: Served = {
  body: json({
    ...billingDetails,
    unconfirmedEmail: 'bills@harbour.example',
    taxId: { type: 'au_abn', value: '51824753556' },
  }),
  decoder: details,
};
const quote: Served = { body: json(aQuote()), decoder: priceQuote };
const savedCards: Record<Call, Served> = {
  'GET /vc-admin/org/customer/cards': {
    body: json({ data: [aCard('4242')] }),
    decoder: cards,
    whole: true,
  },
};

const shown: Record<Call, Served> = {
  [showCall]: {
    body: { org: 'Harbour', email: 'mara@harbour.example' },
    decoder: registration,
  },
};

const scenarios: Scenario[] = [
  {
    name: 'billing',
    at: routes.billing,
    calls: { ...signedIn({ license }), [billingCall]: billingOf(), [invoicesCall]: invoices },
    failures: { ...loadFails(billingCall), ...loadFails(invoicesCall) },
    actions: {
      'POST /vc-admin/org/subscription/scheduled/cancel': {
        act: () => press('Keep Standard'),
        served: changed,
        fails: unknown,
      },
    },
  },
  {
    name: 'billing of a plan that ends',
    at: routes.billing,
    calls: {
      ...whole(signedIn({ license })),
      [billingCall]: billingOf({ endsAt: at }),
      [invoicesCall]: { ...invoices, whole: true },
    },
    failures: loadFails(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/resume': {
        act: () => press('Resume Standard'),
        served: changed,
        fails: unknown,
      },
    },
  },
  {
    name: 'end',
    at: routes.end,
    calls: { ...whole(signedIn({ license })), [billingCall]: billingOf() },
    failures: loadFails(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/cancel': {
        act: () => press('End Standard'),
        served: changed,
        fails: unknown,
      },
    },
  },
  {
    name: 'invoices',
    at: routes.invoices,
    calls: {
      ...whole(signedIn({ license })),
      [invoicesCall]: invoices,
      // Requested for the date of the first invoice when there is none yet.
      [billingCall]: { ...billingOf(), whole: true },
    },
    failures: loadFails(invoicesCall),
  },
  {
    name: 'billing details',
    at: routes.details,
    calls: { ...whole(signedIn({ license })), [detailsCall]: billingDetailsServed },
    failures: loadFails(detailsCall),
    actions: {
      [editCall]: {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Legal name'), ' Ltd');
          await press('Save');
        },
        served: billingDetailsServed,
        fails: { ...later, orMessage: true },
      },
      'POST /vc-admin/org/billing/email/resend': {
        act: () => press('Send the link again'),
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'pay screen of an overdue bill',
    at: routes.pay,
    calls: { ...signedIn({ license, openPayment: anOpenPayment() }), ...savedCards },
    failures: {},
    actions: {
      'POST /vc-admin/org/subscription/pay': {
        act: () => press('Pay $39 AUD'),
        served: changed,
        fails: { text: 'The payment could not be made', orMessage: true },
      },
    },
  },
  {
    name: 'pay screen of a plan change',
    at: routes.pay,
    calls: { ...signedIn({ license, openPayment: planChange }), ...savedCards },
    failures: {},
    actions: {
      'POST /vc-admin/org/subscription/pending/cancel': {
        act: () => press('Drop the change'),
        served: changed,
        fails: { text: 'The change could not be dropped', orMessage: true },
      },
    },
  },
  {
    name: 'pay screen of an invoice to transfer',
    at: routes.pay,
    calls: signedIn(
      { license, openPayment: anOpenPayment(), next },
      { kind: 'invoice', entry: 'invoice', capabilities: ['open_payments'] },
    ),
    failures: {},
  },
  {
    name: 'payment with a quote',
    at: `${routes.payment}${query}`,
    calls: { ...signedIn({}), [quoteCall]: quote },
    failures: { [quoteCall]: { text: 'The amount could not be computed' } },
  },
  {
    name: 'payment by invoice',
    at: `${routes.payment}${query}`,
    calls: {
      ...signedIn({}, { kind: 'invoice', entry: 'invoice', capabilities: ['billing_details'] }),
      [detailsCall]: billingDetailsServed,
    },
    failures: {},
    actions: {
      [editCall]: {
        act: () => press('Subscribe'),
        served: billingDetailsServed,
        fails: { ...later, orMessage: true },
      },
      'POST /vc-admin/user-diy/subscribe': {
        act: () => press('Subscribe'),
        served: changed,
        fails: { text: 'Interval Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'confirmation with a quote',
    at: {
      pathname: routes.confirm,
      search: query,
      state: {
        user: aUser(),
        from: { ...choice, product: 'standard' },
        to: choice,
        mode: 'update',
      },
    },
    calls: { ...signedIn({ license: aLicense() }), [quoteCall]: quote },
    failures: { [quoteCall]: { text: 'The amount could not be computed' } },
    actions: {
      'POST /vc-admin/org/subscription/update': {
        act: () => press('Confirm'),
        served: changed,
        fails: { text: 'Internal Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'dashboard',
    at: routes.dash,
    calls: signedIn({
      license,
      openPayment: anOpenPayment(),
      next,
      trials: { standard: { days: 7, endsAt: at } },
    }),
    failures: {},
  },
  {
    name: 'confirmation of a registration',
    at: { pathname: routes.confirmRegistration, search: '?token=SECRET' },
    calls: { ...visitor, ...shown },
    failures: loadFails(showCall),
    actions: {
      'POST /vc-admin/auth/verify/confirm': {
        act: async () => {
          await press('Yes, this is me');
          await userEvent.type(
            await screen.findByLabelText('Password chosen at registration'),
            'Tide-And-Time-7',
          );
          await press('Confirm');
        },
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
      'POST /vc-admin/auth/verify/reject': {
        act: () => press('I did not register'),
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a billing email',
    at: { pathname: routes.confirmBillingEmail, search: '?token=SECRET' },
    calls: {
      ...visitor,
      [showEmailCall]: {
        body: { org: 'Harbour', email: 'bills@harbour.example' },
        decoder: billingEmail,
      },
    },
    failures: loadFails(showEmailCall),
    actions: {
      'POST /vc-admin/auth/billing-email/confirm': {
        act: () => press('Confirm this address'),
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'email preferences',
    at: { pathname: routes.emailPreferences, search: '?token=SECRET' },
    calls: {
      ...visitor,
      [showPreferencesCall]: {
        body: {
          org: 'Harbour',
          email: 'bills@harbour.example',
          notices: [{ kind: 'card_expires', declined: false }],
        },
        decoder: emailPreferences,
      },
    },
    failures: loadFails(showPreferencesCall),
    actions: {
      'POST /vc-admin/auth/emails/edit': {
        act: () => press('Save'),
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'registration success',
    at: { pathname: routes.registered, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/verify/resend': {
        act: () => press('Send the email again'),
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'forgotten password',
    at: { pathname: routes.forgot, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/password/forgot': {
        act: () => press('Send the link'),
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'new password',
    at: `${routes.reset}?token=SECRET`,
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/password/reset': {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('New password'), 'Tide-And-Time-7');
          await userEvent.type(screen.getByLabelText('Confirm new password'), 'Tide-And-Time-7');
          await press('Change password');
        },
        served: { body: { email: 'mara@harbour.example' }, decoder: account },
        fails: { ...later, orMessage: true },
      },
    },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
