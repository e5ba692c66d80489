import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { addedCard, cards, editedCustomer } from '@/api/cards';
import { acknowledgement, ignored } from '@/api/decode';
import { subscriptions } from '@/api/subscription';
import { routes } from '@/lib/paths';
import { aCard, serveCreatePaymentMethod, typeCard } from '@/testing/card-provider';
import type { Json } from '@/testing/malformed';
import { choice, press, query, type Scenario, testMalformedResponses, tryLater } from '../testing';
import {
  activeSubscription,
  card,
  cardsCall,
  customerBody,
  customerCall,
  customerResponse,
  license,
  listSubscriptionsCall,
  openInvoice,
  otherCard,
  planChange,
  plansText,
  signedIn,
  signedOutFailures,
  signInText,
} from './testing';

// The screens of a signed-in user, with every call of the specification that they send.

async function addCard() {
  serveCreatePaymentMethod({ id: 'pm_1' });
  await press('Add card');
  await typeCard();
  await press('Add');
}

async function selectForOtherCard(option: string) {
  await press('More options for Card ending in 4444');
  await userEvent.click(screen.getByRole('menuitem', { name: option }));
}

const scenarios: Scenario[] = [
  {
    name: 'plans for a user without a customer',
    entry: `${routes.plans}${query}`,
    calls: signedIn({}, {}),
    failures: signedOutFailures(plansText),
    actions: {
      'POST /vc-admin/user-diy/new-customer': {
        act: async () =>
          userEvent.click(
            (
              await screen.findAllByRole('button', { name: 'Start your free trial' })
            )[0] as HTMLElement,
          ),
        response: { body: {}, decoder: ignored },
        failure: { ...tryLater, prefersServerMessage: true },
      },
    },
  },
  {
    name: 'plans for a customer',
    entry: `${routes.plans}${query}`,
    calls: { ...signedIn({ license }), ...customerResponse },
    failures: signedOutFailures(plansText),
  },
  {
    name: 'payment',
    entry: `${routes.payment}${query}`,
    calls: { ...signedIn({}), ...customerResponse },
    failures: signedOutFailures(plansText),
    actions: {
      'POST /vc-admin/user-diy/subscribe': {
        act: async () => {
          serveCreatePaymentMethod({ id: 'pm_1' });
          await typeCard();
          await press('Subscribe');
        },
        response: openInvoice,
        failure: { text: 'Interval Server Error', prefersServerMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a plan change',
    entry: {
      pathname: routes.confirm,
      search: query,
      state: { ...planChange, user: { id: 'org_1' } },
    },
    calls: { ...signedIn({ license }), ...customerResponse },
    failures: { ...signedOutFailures(plansText), [customerCall]: tryLater },
    actions: {
      'POST /vc-admin/org/subscription/update': {
        act: () => press('Confirm'),
        response: openInvoice,
        failure: { text: 'Internal Server Error', prefersServerMessage: true },
      },
    },
  },
  {
    name: 'confirmation after a license that has ended',
    entry: {
      pathname: routes.confirm,
      search: query,
      state: { to: choice, mode: 'update', user: { id: 'org_1' } },
    },
    calls: {
      ...signedIn({ pastLicense: license }),
      ...customerResponse,
      [listSubscriptionsCall]: { body: { data: [{ id: 'sub_1' }] }, decoder: subscriptions },
    },
    failures: {
      ...signedOutFailures(plansText),
      [customerCall]: tryLater,
      [listSubscriptionsCall]: tryLater,
    },
    actions: {
      'POST /vc-admin/user-diy/subscribe': {
        act: () => press('Confirm'),
        response: activeSubscription,
        failure: { text: 'Internal Server Error', prefersServerMessage: true },
      },
    },
  },
  {
    name: 'cards',
    entry: routes.cards,
    calls: {
      ...signedIn({ license }),
      ...customerResponse,
      [cardsCall]: { body: { data: [card, otherCard] }, decoder: cards },
    },
    failures: { ...signedOutFailures(plansText), [cardsCall]: tryLater },
    actions: {
      'POST /vc-admin/org/customer/edit': {
        act: () => selectForOtherCard('Set as default'),
        response: { body: customerBody, decoder: editedCustomer },
      },
      'POST /vc-admin/org/customer/cards/del': {
        act: async () => {
          await selectForOtherCard('Delete');
          await press('Delete');
        },
        response: { body: {}, decoder: acknowledgement },
      },
      'POST /vc-admin/org/customer/cards/add': {
        act: addCard,
        response: { body: aCard('4242') as unknown as Json, decoder: addedCard },
        failure: { text: 'Invalid request, please try again later', prefersServerMessage: true },
      },
    },
  },
  {
    name: 'dashboard',
    entry: routes.dash,
    calls: {
      ...signedIn({ license }, { stripeCustomerId: 'cus_1', name: 'Harbour' }),
      ...customerResponse,
    },
    failures: { ...signedOutFailures(signInText), [customerCall]: tryLater },
    actions: {
      'GET /vc-admin/auth/logout': {
        act: async () => userEvent.click(await screen.findByRole('link', { name: 'Sign Out' })),
        response: { body: {}, decoder: ignored },
      },
    },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
