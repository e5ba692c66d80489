import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { addedCard, cards, editedCustomer } from '@/api/cards';
import { config } from '@/api/config';
import { ignored } from '@/api/decode';
import { customer, organisation } from '@/api/organisation';
import { subscription, subscriptions } from '@/api/subscription';
import { response as userDetail } from '@/api/user';
import { fillForm, regform, submit } from '@/features/registration/testing';
import { routes } from '@/lib/paths';
import { aCard, serveCardProvider, typeCard } from '@/testing/card-provider';
import { aConfig } from '@/testing/fixtures';
import type { Json } from '@/testing/malformed';
import { type Call, type Scenario, type ServedResponse, testMalformedResponses } from './testing';

// Every call of the specification on every screen that sends it, with the responses of a back end that
// knows only the specification.

const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
const query = `?${new URLSearchParams({ ...choice, debug: 'true' })}`;

const subscriptionRaw = {
  status: 'active',
  currency: 'aud',
  current_period_end: 1_800_000_000,
  metadata: { name: 'standard', interval: 'yearly' },
};
const license = { id: 'sub_1', interval: 'yearly', isDev: false, raw: subscriptionRaw };
const card = { id: 'pm_4242', card: { last4: '4242', exp_month: 12, exp_year: 2034 } };
const otherCard = { ...card, id: 'pm_4444', card: { ...card.card, last4: '4444' } };
const customerBody = {
  id: 'cus_1',
  currency: 'aud',
  metadata: { currency: 'AUD' },
  invoice_settings: { default_payment_method: card },
};

const configCall: Call = 'GET /vc-admin/diy/config.json';
const userCall: Call = 'GET /vc-admin/user/detail';
const orgCall: Call = 'GET /vc-admin/org/detail/:id';
const customerCall: Call = 'POST /vc-admin/org/customer';
const cardsCall: Call = 'GET /vc-admin/org/customer/cards';
const listCall: Call = 'POST /vc-admin/org/subscription/list';

const { catalogue, ...settings } = aConfig({ provider: { kind: 'fake' } });
/** Two capabilities of a plan are enough, because all are decoded alike. */
const capabilities = { maxAttendees: '2', lobbyGuest: true };
const specifiedConfig: ServedResponse = {
  body: JSON.parse(
    JSON.stringify({
      ...settings,
      catalogue: {
        ...catalogue,
        plans: catalogue.plans.map((plan) => ({ ...plan, capabilities })),
      },
    }),
  ),
  decoder: config,
};
/** For a screen that shows the parts of the configuration. */
const withConfigParts: Record<Call, ServedResponse> = { [configCall]: specifiedConfig };
const withConfig: Record<Call, ServedResponse> = {
  [configCall]: { ...specifiedConfig, wholeOnly: true },
};

const visitor: Record<Call, ServedResponse> = {
  ...withConfig,
  [userCall]: { body: { detail: null }, decoder: userDetail },
};

/** A signed-in user of an organisation. */
const signedIn = (detail: { [name: string]: Json }, org: Json = { stripeCustomerId: 'cus_1' }) => ({
  ...withConfig,
  [userCall]: { body: { detail: { orgId: 'org_1', ...detail } }, decoder: userDetail },
  [orgCall]: { body: org, decoder: organisation },
});

const withCustomer: Record<Call, ServedResponse> = {
  [customerCall]: { body: customerBody, decoder: customer },
};

const tryLater = { text: 'Please try again later!' };
/** Without an identity the user is signed out: a visitor sees the plans, and a form on the dashboard. */
const plansText = { text: 'Plans for every practice' };
const signInText = { text: 'Sign in' };

const identityFails = (text: { text: string }) => ({
  [configCall]: tryLater,
  [userCall]: text,
  [orgCall]: text,
});

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

const change = { from: { ...choice, product: 'standard' }, to: choice, mode: 'update' };

const active: ServedResponse = { body: { id: 'sub_1', status: 'active' }, decoder: subscription };
const openInvoice: ServedResponse = {
  body: {
    id: 'sub_1',
    status: 'incomplete',
    latest_invoice: {
      id: 'in_1',
      payment_intent: { status: 'requires_payment_method', client_secret: 'pi_1_secret' },
    },
  },
  decoder: subscription,
};

async function addCard() {
  serveCardProvider({ id: 'pm_1' });
  await press('Add card');
  await typeCard();
  await press('Add');
}

async function chooseForOtherCard(option: string) {
  await press('More options for Card ending in 4444');
  await userEvent.click(screen.getByRole('menuitem', { name: option }));
}

const scenarios: Scenario[] = [
  {
    name: 'plans for a visitor',
    entry: `${routes.plans}${query}`,
    calls: { ...visitor, ...withConfigParts },
    failures: identityFails(plansText),
  },
  {
    name: 'plans for a user without a customer',
    entry: `${routes.plans}${query}`,
    calls: signedIn({}, {}),
    failures: identityFails(plansText),
    actions: {
      'POST /vc-admin/user-diy/new-customer': {
        act: async () =>
          userEvent.click(
            (
              await screen.findAllByRole('button', { name: 'Start your free trial' })
            )[0] as HTMLElement,
          ),
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'plans for a customer',
    entry: `${routes.plans}${query}`,
    calls: { ...signedIn({ license }), ...withCustomer },
    failures: identityFails(plansText),
  },
  {
    name: 'plans after a license that has ended',
    entry: `${routes.plans}${query}`,
    calls: { ...signedIn({ pastLicense: license }), ...withCustomer },
    failures: identityFails(plansText),
  },
  {
    name: 'registration',
    entry: regform,
    calls: visitor,
    failures: { [configCall]: tryLater },
    actions: {
      'POST /vc-admin/signup': {
        act: async () => {
          await screen.findByLabelText('First name');
          await fillForm();
          await submit();
        },
        served: { body: {}, decoder: ignored },
        failure: { text: 'OK', orMessage: true },
      },
    },
  },
  {
    name: 'registration success',
    entry: { pathname: routes.registered, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
  },
  {
    name: 'payment',
    entry: `${routes.payment}${query}`,
    calls: { ...signedIn({}), ...withCustomer, ...withConfigParts },
    failures: identityFails(plansText),
    actions: {
      'POST /vc-admin/user-diy/subscribe': {
        act: async () => {
          serveCardProvider({ id: 'pm_1' });
          await typeCard();
          await press('Subscribe');
        },
        served: openInvoice,
        failure: { text: 'Interval Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a plan change',
    entry: { pathname: routes.confirm, search: query, state: { ...change, user: { id: 'org_1' } } },
    calls: { ...signedIn({ license }), ...withCustomer },
    failures: { ...identityFails(plansText), [customerCall]: tryLater },
    actions: {
      'POST /vc-admin/org/subscription/update': {
        act: () => press('Confirm'),
        served: openInvoice,
        failure: { text: 'Internal Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a plan change in the trial',
    entry: { pathname: routes.confirm, search: query, state: { ...change, user: { id: 'org_1' } } },
    calls: {
      ...signedIn({ license: { ...license, raw: { ...subscriptionRaw, status: 'trialing' } } }),
      ...withCustomer,
    },
    failures: { ...identityFails(plansText), [customerCall]: tryLater },
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
      ...withCustomer,
      [listCall]: { body: { data: [{ id: 'sub_1' }] }, decoder: subscriptions },
    },
    failures: { ...identityFails(plansText), [customerCall]: tryLater, [listCall]: tryLater },
    actions: {
      'POST /vc-admin/user-diy/subscribe': {
        act: () => press('Confirm'),
        served: active,
        failure: { text: 'Internal Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'cards',
    entry: routes.cards,
    calls: {
      ...signedIn({ license }),
      ...withCustomer,
      [cardsCall]: { body: { data: [card, otherCard] }, decoder: cards },
    },
    failures: { ...identityFails(plansText), [cardsCall]: tryLater },
    actions: {
      'POST /vc-admin/org/customer/edit': {
        act: () => chooseForOtherCard('Set as default'),
        served: { body: customerBody, decoder: editedCustomer },
      },
      'POST /vc-admin/org/customer/cards/del': {
        act: async () => {
          await chooseForOtherCard('Delete');
          await press('Delete');
        },
        served: { body: {}, decoder: ignored },
      },
      'POST /vc-admin/org/customer/cards/add': {
        act: addCard,
        served: { body: aCard('4242') as unknown as Json, decoder: addedCard },
        failure: { text: 'Invalid request, please try again later', orMessage: true },
      },
    },
  },
  {
    name: 'contact',
    entry: `${routes.contact}?product=enterprise`,
    calls: { ...visitor, ...withConfigParts },
    failures: { [configCall]: tryLater },
  },
  {
    name: 'sign-in form',
    entry: routes.dash,
    calls: visitor,
    failures: { [userCall]: signInText },
    actions: {
      'POST /auth/login': {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Email'), 'mara@harbour.example');
          await userEvent.type(screen.getByLabelText('Password'), 'Tide-And-Time-7');
          await press('Sign In');
        },
        served: { body: {}, decoder: ignored },
        failure: { ...tryLater, orMessage: true },
      },
    },
  },
  {
    name: 'dashboard',
    entry: routes.dash,
    calls: {
      ...signedIn({ license }, { stripeCustomerId: 'cus_1', name: 'Harbour' }),
      ...withCustomer,
    },
    failures: { ...identityFails(signInText), [customerCall]: tryLater },
    actions: {
      'GET /vc-admin/auth/logout': {
        act: async () => userEvent.click(await screen.findByRole('link', { name: 'Sign Out' })),
        served: { body: {}, decoder: ignored },
      },
    },
  },
  {
    name: 'dashboard after a license that has ended',
    entry: routes.dash,
    calls: { ...signedIn({ pastLicense: license }), ...withCustomer },
    failures: { ...identityFails(signInText), [customerCall]: tryLater },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
