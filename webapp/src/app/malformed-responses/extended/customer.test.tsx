import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { acknowledgement } from '@/api/decode';
import { routes } from '@/lib/paths';
import { aLicense, anOpenPayment, aUser, planChangePayment } from '@/testing/fixtures';
import { choice, press, query, type Scenario, testMalformedResponses, tryLater } from '../testing';
import {
  billingCall,
  billingResponse,
  cardsResponse,
  detailsCall,
  detailsResponse,
  editDetailsCall,
  invoicesCall,
  invoicesResponse,
  license,
  loadFailure,
  periodEnd,
  quoteCall,
  quoteResponse,
  signedIn,
  subscriptionResponse,
  unknownOutcome,
} from './testing';

// The screens of a signed-in user, with the calls and fields that the specification does not name.

const scenarios: Scenario[] = [
  {
    name: 'dashboard',
    entry: routes.dash,
    calls: {
      ...signedIn({ license }),
      [billingCall]: billingResponse(),
      [invoicesCall]: invoicesResponse,
    },
    failures: { ...loadFailure(billingCall), ...loadFailure(invoicesCall) },
    actions: {
      'POST /vc-admin/org/subscription/scheduled/cancel': {
        act: () => press('Keep Standard'),
        response: subscriptionResponse,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'dashboard of a plan that ends',
    entry: routes.dash,
    calls: {
      ...signedIn({ license }),
      [billingCall]: billingResponse({ endsAt: periodEnd }),
      [invoicesCall]: { ...invoicesResponse },
    },
    failures: loadFailure(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/resume': {
        act: () => press('Resume Standard'),
        response: subscriptionResponse,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'end screen',
    entry: routes.end,
    calls: { ...signedIn({ license }), [billingCall]: billingResponse() },
    failures: loadFailure(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/cancel': {
        act: () => press('End Standard'),
        response: subscriptionResponse,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'invoices',
    entry: routes.invoices,
    calls: {
      ...signedIn({ license }),
      [invoicesCall]: invoicesResponse,
      // The screen sends this call for the date of the first invoice if the list is empty.
      [billingCall]: { ...billingResponse() },
    },
    failures: loadFailure(invoicesCall),
  },
  {
    name: 'billing details',
    entry: routes.details,
    calls: { ...signedIn({ license }), [detailsCall]: detailsResponse },
    failures: loadFailure(detailsCall),
    actions: {
      [editDetailsCall]: {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Legal name'), ' Ltd');
          await press('Save');
        },
        response: detailsResponse,
        failure: { ...tryLater, prefersServerMessage: true },
      },
      'POST /vc-admin/org/billing/email/resend': {
        act: () => press('Send the link again'),
        response: { body: {}, decoder: acknowledgement },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'pay screen of an overdue invoice',
    entry: routes.pay,
    calls: { ...signedIn({ license, openPayment: anOpenPayment() }), ...cardsResponse },
    failures: {},
    actions: {
      'POST /vc-admin/org/subscription/pay': {
        act: () => press('Pay $39 AUD'),
        response: subscriptionResponse,
        failure: { text: 'The payment could not be made', prefersServerMessage: true },
      },
    },
  },
  {
    name: 'pay screen of a plan change',
    entry: routes.pay,
    calls: { ...signedIn({ license, openPayment: planChangePayment }), ...cardsResponse },
    failures: {},
    actions: {
      'POST /vc-admin/org/subscription/pending/cancel': {
        act: () => press('Keep Standard yearly'),
        response: subscriptionResponse,
        failure: { text: 'The change could not be dropped', prefersServerMessage: true },
      },
    },
  },
  {
    name: 'payment with a quote',
    entry: `${routes.payment}${query}`,
    calls: { ...signedIn({}), [quoteCall]: quoteResponse },
    failures: { [quoteCall]: { text: 'The amount could not be computed' } },
  },
  {
    name: 'payment by invoice',
    entry: `${routes.payment}${query}`,
    calls: {
      ...signedIn({}, { kind: 'invoice', entry: 'invoice', capabilities: ['billing_details'] }),
      [detailsCall]: detailsResponse,
    },
    failures: {},
    actions: {
      [editDetailsCall]: {
        act: () => press('Subscribe'),
        response: detailsResponse,
        failure: { ...tryLater, prefersServerMessage: true },
      },
      'POST /vc-admin/user-diy/subscribe': {
        act: () => press('Subscribe'),
        response: subscriptionResponse,
        failure: { text: 'Interval Server Error', prefersServerMessage: true },
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
    calls: { ...signedIn({ license: aLicense() }), [quoteCall]: quoteResponse },
    failures: { [quoteCall]: { text: 'The amount could not be computed' } },
    actions: {
      'POST /vc-admin/org/subscription/update': {
        act: () => press('Confirm'),
        response: subscriptionResponse,
        failure: { text: 'Internal Server Error', prefersServerMessage: true },
      },
    },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
