import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { added, cards, edited } from '@/api/cards';
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
import { type Call, type Scenario, type Served, testMalformedResponses } from './testing';

// Every call of the specification on every screen that sends it, with the responses of a back end that knows the
// specification only.

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
/** Two capabilities of a plan stand for all. */
const capabilities = { maxAttendees: '2', lobbyGuest: true };
const specifiedConfig: Served = {
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
const withConfigParts: Record<Call, Served> = { [configCall]: specifiedConfig };
const configured: Record<Call, Served> = { [configCall]: { ...specifiedConfig, whole: true } };

const visitor: Record<Call, Served> = {
  ...configured,
  [userCall]: { body: { detail: null }, decoder: userDetail },
};

/** A signed-in user of an organisation. */
const signedIn = (detail: { [name: string]: Json }, org: Json = { stripeCustomerId: 'cus_1' }) => ({
  ...configured,
  [userCall]: { body: { detail: { orgId: 'org_1', ...detail } }, decoder: userDetail },
  [orgCall]: { body: org, decoder: organisation },
});

const withCustomer: Record<Call, Served> = {
  [customerCall]: { body: customerBody, decoder: customer },
};

const later = { text: 'Please try again later!' };
/** Without an identity the user is signed out: a visitor sees the plans, and a form on the dashboard. */
const plans = { text: 'Plans for every practice' };
const signIn = { text: 'Sign in' };

const identityFails = (shown: { text: string }) => ({
  [configCall]: later,
  [userCall]: shown,
  [orgCall]: shown,
});

const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

const change = { from: { ...choice, product: 'standard' }, to: choice, mode: 'update' };

const active: Served = { body: { id: 'sub_1', status: 'active' }, decoder: subscription };
const openInvoice: Served = {
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
    at: `${routes.plans}${query}`,
    calls: { ...visitor, ...withConfigParts },
    failures: identityFails(plans),
  },
  {
    name: 'plans for a user without a customer',
    at: `${routes.plans}${query}`,
    calls: signedIn({}, {}),
    failures: identityFails(plans),
    actions: {
      'POST /vc-admin/user-diy/new-customer': {
        act: async () =>
          userEvent.click(
            (
              await screen.findAllByRole('button', { name: 'Start your free trial' })
            )[0] as HTMLElement,
          ),
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'plans for a customer',
    at: `${routes.plans}${query}`,
    calls: { ...signedIn({ license }), ...withCustomer },
    failures: identityFails(plans),
  },
  {
    name: 'plans after a license that has ended',
    at: `${routes.plans}${query}`,
    calls: { ...signedIn({ pastLicense: license }), ...withCustomer },
    failures: identityFails(plans),
  },
  {
    name: 'registration',
    at: regform,
    calls: visitor,
    failures: { [configCall]: later },
    actions: {
      'POST /vc-admin/signup': {
        act: async () => {
          await screen.findByLabelText('First name');
          await fillForm();
          await submit();
        },
        served: { body: {}, decoder: ignored },
        fails: { text: 'OK', orMessage: true },
      },
    },
  },
  {
    name: 'registration success',
    at: { pathname: routes.registered, state: { email: 'mara@harbour.example' } },
    calls: visitor,
    failures: {},
  },
  {
    name: 'payment',
    at: `${routes.payment}${query}`,
    calls: { ...signedIn({}), ...withCustomer, ...withConfigParts },
    failures: identityFails(plans),
    actions: {
      'POST /vc-admin/user-diy/subscribe': {
        act: async () => {
          serveCardProvider({ id: 'pm_1' });
          await typeCard();
          await press('Subscribe');
        },
        served: openInvoice,
        fails: { text: 'Interval Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a plan change',
    at: { pathname: routes.confirm, search: query, state: { ...change, user: { id: 'org_1' } } },
    calls: { ...signedIn({ license }), ...withCustomer },
    failures: { ...identityFails(plans), [customerCall]: later },
    actions: {
      'POST /vc-admin/org/subscription/update': {
        act: () => press('Confirm'),
        served: openInvoice,
        fails: { text: 'Internal Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'confirmation of a plan change in the trial',
    at: { pathname: routes.confirm, search: query, state: { ...change, user: { id: 'org_1' } } },
    calls: {
      ...signedIn({ license: { ...license, raw: { ...subscriptionRaw, status: 'trialing' } } }),
      ...withCustomer,
    },
    failures: { ...identityFails(plans), [customerCall]: later },
  },
  {
    name: 'confirmation after a license that has ended',
    at: {
      pathname: routes.confirm,
      search: query,
      state: { to: choice, mode: 'update', user: { id: 'org_1' } },
    },
    calls: {
      ...signedIn({ pastLicense: license }),
      ...withCustomer,
      [listCall]: { body: { data: [{ id: 'sub_1' }] }, decoder: subscriptions },
    },
    failures: { ...identityFails(plans), [customerCall]: later, [listCall]: later },
    actions: {
      'POST /vc-admin/user-diy/subscribe': {
        act: () => press('Confirm'),
        served: active,
        fails: { text: 'Internal Server Error', orMessage: true },
      },
    },
  },
  {
    name: 'cards',
    at: routes.cards,
    calls: {
      ...signedIn({ license }),
      ...withCustomer,
      [cardsCall]: { body: { data: [card, otherCard] }, decoder: cards },
    },
    failures: { ...identityFails(plans), [cardsCall]: later },
    actions: {
      'POST /vc-admin/org/customer/edit': {
        act: () => chooseForOtherCard('Set as default'),
        served: { body: customerBody, decoder: edited },
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
        served: { body: aCard('4242') as unknown as Json, decoder: added },
        fails: { text: 'Invalid request, please try again later', orMessage: true },
      },
    },
  },
  {
    name: 'contact',
    at: `${routes.contact}?product=enterprise`,
    calls: { ...visitor, ...withConfigParts },
    failures: { [configCall]: later },
  },
  {
    name: 'sign-in form',
    at: routes.dash,
    calls: visitor,
    failures: { [userCall]: signIn },
    actions: {
      'POST /auth/login': {
        act: async () => {
          await userEvent.type(await screen.findByLabelText('Email'), 'mara@harbour.example');
          await userEvent.type(screen.getByLabelText('Password'), 'Tide-And-Time-7');
          await press('Sign In');
        },
        served: { body: {}, decoder: ignored },
        fails: { ...later, orMessage: true },
      },
    },
  },
  {
    name: 'dashboard',
    at: routes.dash,
    calls: {
      ...signedIn({ license }, { stripeCustomerId: 'cus_1', name: 'Harbour' }),
      ...withCustomer,
    },
    failures: { ...identityFails(signIn), [customerCall]: later },
    actions: {
      'GET /vc-admin/auth/logout': {
        act: async () => userEvent.click(await screen.findByRole('link', { name: 'Sign Out' })),
        served: { body: {}, decoder: ignored },
      },
    },
  },
  {
    name: 'dashboard after a license that has ended',
    at: routes.dash,
    calls: { ...signedIn({ pastLicense: license }), ...withCustomer },
    failures: { ...identityFails(signIn), [customerCall]: later },
  },
];

for (const scenario of scenarios) testMalformedResponses(scenario);
