import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { account, billingEmail, emailPreferences } from '@/api/account';
import { ignored } from '@/api/decode';
import { routes } from '@/lib/paths';
import { aLicense, anOpenPayment, aUser, planChange } from '@/testing/fixtures';
import { type Scenario, testMalformedResponses } from '../testing';
import {
  billingCall,
  billingDetailsServed,
  billingOf,
  changedSubscription,
  choice,
  detailsCall,
  editCall,
  invoices,
  invoicesCall,
  license,
  loadFails,
  nextAction,
  periodEnd,
  press,
  query,
  quote,
  quoteCall,
  savedCards,
  showCall,
  showEmailCall,
  shownRegistration,
  showPreferencesCall,
  signedIn,
  tryLater,
  unknownOutcome,
  visitor,
  wholeOnly,
} from './testing';

// The calls and fields of the Go server that the specification does not name, on every screen that uses them.

const scenarios: Scenario[] = [
  {
    name: 'billing',
    entry: routes.billing,
    calls: { ...signedIn({ license }), [billingCall]: billingOf(), [invoicesCall]: invoices },
    failures: { ...loadFails(billingCall), ...loadFails(invoicesCall) },
    actions: {
      'POST /vc-admin/org/subscription/scheduled/cancel': {
        act: () => press('Keep Standard'),
        served: changedSubscription,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'billing of a plan that ends',
    entry: routes.billing,
    calls: {
      ...wholeOnly(signedIn({ license })),
      [billingCall]: billingOf({ endsAt: periodEnd }),
      [invoicesCall]: { ...invoices, whole: true },
    },
    failures: loadFails(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/resume': {
        act: () => press('Resume Standard'),
        served: changedSubscription,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'end',
    entry: routes.end,
    calls: { ...wholeOnly(signedIn({ license })), [billingCall]: billingOf() },
    failures: loadFails(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/cancel': {
        act: () => press('End Standard'),
        served: changedSubscription,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'invoices',
    entry: routes.invoices,
    calls: {
      ...wholeOnly(signedIn({ license })),
      [invoicesCall]: invoices,
      // Requested for the date of the first invoice when there is none yet.
      [billingCall]: { ...billingOf(), whole: true },
    },
    failures: loadFails(invoicesCall),
  },
  {
    name: 'billing details',
    entry: routes.details,
    calls: { ...wholeOnly(signedIn({ license })), [detailsCall]: billingDetailsServed },
    failures: loadFails(detailsCall),
    actions: {
      [editCall]: {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Legal name'), ' Ltd');
          await press('Save');
        },
        served: billingDetailsServed,
        failure: { ...tryLater, orMessage: true },
      },
      'POST /vc-admin/org/billing/email/resend': {
        act: () => press('Send the link again'),
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'pay screen of an overdue bill',
    entry: routes.pay,
    calls: { ...signedIn({ license, openPayment: anOpenPayment() }), ...savedCards },
    failures: {},
    actions: {
      'POST /vc-admin/org/subscription/pay': {
        act: () => press('Pay $39 AUD'),
        served: changedSubscription,
        failure: { text: 'The payment could not be made', orMessage: true },
      },
    },
  },
  {
    name: 'pay screen of a plan change',
    entry: routes.pay,
    calls: { ...signedIn({ license, openPayment: planChange }), ...savedCards },
    failures: {},
    actions: {
      'POST /vc-admin/org/subscription/pending/cancel': {
        act: () => press('Drop the change'),
        served: changedSubscription,
        failure: { text: 'The change could not be dropped', orMessage: true },
      },
    },
  },
  {
    name: 'pay screen of an invoice to transfer',
    entry: routes.pay,
    calls: signedIn(
      { license, openPayment: anOpenPayment(), next: nextAction },
      { kind: 'invoice', entry: 'invoice', capabilities: ['open_payments'] },
    ),
    failures: {},
  },
  {
    name: 'payment with a quote',
    entry: `${routes.payment}${query}`,
    calls: { ...signedIn({}), [quoteCall]: quote },
    failures: { [quoteCall]: { text: 'The amount could not be computed' } },
  },
  {
    name: 'payment by invoice',
    entry: `${routes.payment}${query}`,
    calls: {
      ...signedIn({}, { kind: 'invoice', entry: 'invoice', capabilities: ['billing_details'] }),
      [detailsCall]: billingDetailsServed,
    },
    failures: {},
    actions: {
      [editCall]: {
        act: () => press('Subscribe'),
        served: billingDetailsServed,
        failure: { ...tryLater, orMessage: true },
      },
      'POST /vc-admin/user-diy/subscribe': {
        act: () => press('Subscribe'),
        served: changedSubscription,
        failure: { text: 'Interval Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'confirmation with a quote',
    entry: {
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
        served: changedSubscription,
        failure: { text: 'Internal Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'dashboard',
    entry: routes.dash,
    calls: signedIn({
      license,
      openPayment: anOpenPayment(),
      next: nextAction,
      trials: { standard: { days: 7, endsAt: periodEnd } },
    }),
    failures: {},
  },
  {
    name: 'confirmation of a registration',
    entry: { pathname: routes.confirmRegistration, search: '?token=SECRET' },
    calls: { ...visitor, ...shownRegistration },
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
        failure: { ...tryLater, orMessage: true },
      },
      'POST /vc-admin/auth/verify/reject': {
        act: () => press('I did not register'),
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a billing email',
    entry: { pathname: routes.confirmBillingEmail, search: '?token=SECRET' },
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
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'email preferences',
    entry: { pathname: routes.emailPreferences, search: '?token=SECRET' },
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
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'registration success',
    entry: { pathname: routes.registered, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/verify/resend': {
        act: () => press('Send the email again'),
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'forgotten password',
    entry: { pathname: routes.forgot, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
    actions: {
      'POST /vc-admin/auth/password/forgot': {
        act: () => press('Send the link'),
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'new password',
    entry: `${routes.reset}?token=SECRET`,
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
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
