import { config } from '@/api/config';
import { customer, organisation } from '@/api/organisation';
import { subscription } from '@/api/subscription';
import { userDetailResponse } from '@/api/user';
import { aConfig } from '@/testing/fixtures';
import type { Json } from '@/testing/malformed';
import { type Call, choice, type ExpectedText, type ServedResponse, tryLater } from '../testing';

// The responses of a back end that knows only the specification.

export const subscriptionRaw = {
  status: 'active',
  currency: 'aud',
  current_period_end: 1_800_000_000,
  metadata: { name: 'standard', interval: 'yearly' },
};
export const license = { id: 'sub_1', interval: 'yearly', isDev: false, raw: subscriptionRaw };
export const card = { id: 'pm_4242', card: { last4: '4242', exp_month: 12, exp_year: 2034 } };
export const otherCard = { ...card, id: 'pm_4444', card: { ...card.card, last4: '4444' } };
export const customerBody = {
  id: 'cus_1',
  currency: 'aud',
  metadata: { currency: 'AUD' },
  invoice_settings: { default_payment_method: card },
};

export const configCall: Call = 'GET /vc-admin/diy/config.json';
export const userCall: Call = 'GET /vc-admin/user/detail';
const orgCall: Call = 'GET /vc-admin/org/detail/:id';
export const customerCall: Call = 'POST /vc-admin/org/customer';
export const cardsCall: Call = 'GET /vc-admin/org/customer/cards';
export const listSubscriptionsCall: Call = 'POST /vc-admin/org/subscription/list';

const configResponse: Record<Call, ServedResponse> = {
  [configCall]: {
    body: JSON.parse(JSON.stringify(aConfig({ provider: { kind: 'fake' } }))),
    decoder: config,
  },
};

export const visitor: Record<Call, ServedResponse> = {
  ...configResponse,
  [userCall]: { body: { detail: null }, decoder: userDetailResponse },
};

/** Returns the responses to the calls that load a signed-in user and the organisation. */
export const signedIn = (
  detail: { [name: string]: Json },
  org: Json = { stripeCustomerId: 'cus_1' },
) => ({
  ...configResponse,
  [userCall]: { body: { detail: { orgId: 'org_1', ...detail } }, decoder: userDetailResponse },
  [orgCall]: { body: org, decoder: organisation },
});

export const customerResponse: Record<Call, ServedResponse> = {
  [customerCall]: { body: customerBody, decoder: customer },
};

/** The texts that a signed-out user sees: the plans, or the sign-in form on the dashboard. */
export const plansText = { text: 'Plans for every practice' };
export const signInText = { text: 'Sign in' };

/** Returns the expectation that a malformed user or organisation signs the user out, who then sees `signedOutText`. */
export const signedOutFailures = (signedOutText: ExpectedText) => ({
  [configCall]: tryLater,
  [userCall]: signedOutText,
  [orgCall]: signedOutText,
});

export const planChange = { from: { ...choice, product: 'standard' }, to: choice, mode: 'update' };

export const activeSubscription: ServedResponse = {
  body: { id: 'sub_1', status: 'active' },
  decoder: subscription,
};
export const openInvoice: ServedResponse = {
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
