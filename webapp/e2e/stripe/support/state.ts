import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { getLicenses, post, startTrialWithMethod } from '../../support/api';
import { advanceClock } from '../../support/dev';
import { cards } from '../../support/payment';
import { publishableKey, type StripeServer } from './stripe-server';

/** Creates a card, as the card field does, and returns its id. */
export async function createCard(stripe: StripeServer, number: string): Promise<string> {
  const { id } = await stripe.request<{ id: string }>('POST', '/v1/payment_methods', {
    type: 'card',
    'card[number]': number,
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
    key: publishableKey,
  });
  return id;
}

/** Starts the trial of Professional, yearly, AUD for the signed-in user. */
export async function startTrial(
  request: APIRequestContext,
  stripe: StripeServer,
  card: string = cards.valid,
): Promise<void> {
  await startTrialWithMethod(request, await createCard(stripe, card));
}

/**
 * Moves the clock of Stripe and then the clock of the application. If the application's clock were ahead, the
 * application would refuse Stripe's signatures as too old.
 */
export async function advanceClocks(
  request: APIRequestContext,
  stripe: StripeServer,
  duration: string,
) {
  await stripe.advance(duration);
  await advanceClock(request, duration);
}

/**
 * Starts a trial and lets it end unpaid. The first charge after 7 days is declined, and so are three retries, which
 * follow 3, 5 and 7 days after the previous attempt. Then the plan is canceled.
 */
export async function endTrialUnpaid(
  request: APIRequestContext,
  stripe: StripeServer,
): Promise<void> {
  await startTrial(request, stripe, cards.declinedWhenCharged);
  await advanceClocks(request, stripe, '169h');
  expect((await getLicenses(request)).license?.raw.status).toBe('past_due');
  await advanceClocks(request, stripe, '361h');
  expect((await getLicenses(request)).pastLicense?.raw.status).toBe('canceled');
}

interface Subscription {
  id: string;
  status: string;
}

/** Returns the subscriptions of the signed-in organisation at Stripe that have not ended. */
export async function getSubscriptions(page: Page, stripe: StripeServer): Promise<Subscription[]> {
  // The customer exists already, so the call only returns its id.
  const { id: customer } = await post<{ id: string }>(
    page.request,
    '/vc-admin/user-diy/new-customer',
  );
  const { data } = await stripe.request<{ data: Subscription[] }>(
    'GET',
    `/v1/subscriptions?customer=${customer}`,
  );
  return data.map(({ id, status }) => ({ id, status }));
}
