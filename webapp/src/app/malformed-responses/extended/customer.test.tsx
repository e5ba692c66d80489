import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ignored } from '@/api/decode';
import { routes } from '@/lib/paths';
import { aLicense, anOpenPayment, aUser, planChangePayment } from '@/testing/fixtures';
import { choice, press, query, type Scenario, testMalformedResponses, tryLater } from '../testing';
import {
  billingCall,
  billingResponse,
  cardsResponse,
  detailsCall,
  detailsResponse,
  editCall,
  invoicesCall,
  invoicesResponse,
  license,
  loadFailure,
  nextAction,
  periodEnd,
  quoteCall,
  quoteResponse,
  signedIn,
  subscriptionResponse,
  unknownOutcome,
  withoutParts,
} from './testing';

// The calls and fields of the Go server for a signed-in user that the specification does not name.

const scenarios: Scenario[] = [
  {
    name: 'billing',
    entry: routes.billing,
    calls: {
      ...signedIn({ license }),
      [billingCall]: billingResponse(),
      [invoicesCall]: invoicesResponse,
    },
    failures: { ...loadFailure(billingCall), ...loadFailure(invoicesCall) },
    actions: {
      'POST /vc-admin/org/subscription/scheduled/cancel': {
        act: () => press('Keep Standard'),
        served: subscriptionResponse,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'billing of a plan that ends',
    entry: routes.billing,
    calls: {
      ...withoutParts(signedIn({ license })),
      [billingCall]: billingResponse({ endsAt: periodEnd }),
      [invoicesCall]: { ...invoicesResponse, arePartsTestedElsewhere: true },
    },
    failures: loadFailure(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/resume': {
        act: () => press('Resume Standard'),
        served: subscriptionResponse,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'end',
    entry: routes.end,
    calls: { ...withoutParts(signedIn({ license })), [billingCall]: billingResponse() },
    failures: loadFailure(billingCall),
    actions: {
      'POST /vc-admin/org/subscription/cancel': {
        act: () => press('End Standard'),
        served: subscriptionResponse,
        failure: unknownOutcome,
      },
    },
  },
  {
    name: 'invoices',
    entry: routes.invoices,
    calls: {
      ...withoutParts(signedIn({ license })),
      [invoicesCall]: invoicesResponse,
      // Requested for the date of the first invoice when there is none yet.
      [billingCall]: { ...billingResponse(), arePartsTestedElsewhere: true },
    },
    failures: loadFailure(invoicesCall),
  },
  {
    name: 'billing details',
    entry: routes.details,
    calls: { ...withoutParts(signedIn({ license })), [detailsCall]: detailsResponse },
    failures: loadFailure(detailsCall),
    actions: {
      [editCall]: {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Legal name'), ' Ltd');
          await press('Save');
        },
        served: detailsResponse,
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
    calls: { ...signedIn({ license, openPayment: anOpenPayment() }), ...cardsResponse },
    failures: {},
    actions: {
      'POST /vc-admin/org/subscription/pay': {
        act: () => press('Pay $39 AUD'),
        served: subscriptionResponse,
        failure: { text: 'The payment could not be made', orMessage: true },
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
        act: () => press('Drop the change'),
        served: subscriptionResponse,
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
      [editCall]: {
        act: () => press('Subscribe'),
        served: detailsResponse,
        failure: { ...tryLater, orMessage: true },
      },
      'POST /vc-admin/user-diy/subscribe': {
        act: () => press('Subscribe'),
        served: subscriptionResponse,
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
    calls: { ...signedIn({ license: aLicense() }), [quoteCall]: quoteResponse },
    failures: { [quoteCall]: { text: 'The amount could not be computed' } },
    actions: {
      'POST /vc-admin/org/subscription/update': {
        act: () => press('Confirm'),
        served: subscriptionResponse,
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
];

for (const scenario of scenarios) testMalformedResponses(scenario);
