import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { account, billingEmail, emailPreferences } from '@/api/account';
import { ignored } from '@/api/decode';
import { routes } from '@/lib/paths';
import { aLicense, anOpenPayment, aUser, planChange } from '@/testing/fixtures';
import { type Scenario, testMalformedResponses } from '../testing';
import {
  at,
  billingCall,
  billingDetailsServed,
  billingOf,
  changed,
  choice,
  detailsCall,
  editCall,
  invoices,
  invoicesCall,
  later,
  license,
  loadFails,
  next,
  press,
  query,
  quote,
  quoteCall,
  savedCards,
  showCall,
  showEmailCall,
  shown,
  showPreferencesCall,
  signedIn,
  unknown,
  visitor,
  whole,
} from './testing';

// The calls and fields of the Go server that the specification does not name, on every screen that uses them.

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
