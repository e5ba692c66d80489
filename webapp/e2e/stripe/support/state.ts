import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { licenses, post, startTrialWith } from '../../support/api';
import { advanceClock } from '../../support/dev';
import { cards } from '../../support/payment';
import { type LocalStripe, publishableKey } from './local-stripe';

/** Starts the trial of Professional, yearly, AUD for the signed-in user. */
export async function startTrial(
  request: APIRequestContext,
  stripe: LocalStripe,
  card: string = cards.good,
): Promise<void> {
  const { id } = await stripe.ask<{ id: string }>('POST', '/v1/payment_methods', {
    type: 'card',
    'card[number]': card,
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
    key: publishableKey,
  });
  await startTrialWith(request, id);
}

/**
 * Moves Stripe and then the application, whose clock must not be ahead: it would find Stripe's
 * signatures too old.
 */
export async function advanceBoth(request: APIRequestContext, stripe: LocalStripe, by: string) {
  await stripe.advance(by);
  await advanceClock(request, by);
}

/** Lets a trial end unpaid: charged after 7 days, tried again after 3, 5 and 7 more, given up. */
export async function spendTrial(request: APIRequestContext, stripe: LocalStripe): Promise<void> {
  await startTrial(request, stripe, cards.declinedWhenCharged);
  await advanceBoth(request, stripe, '169h');
  expect((await licenses(request)).license?.raw.status).toBe('past_due');
  await advanceBoth(request, stripe, '361h');
  expect((await licenses(request)).pastLicense?.raw.status).toBe('canceled');
}

interface Subscription {
  id: string;
  status: string;
}

/** What runs at Stripe for the organisation that is signed in, without what is over. */
export async function subscriptions(page: Page, stripe: LocalStripe): Promise<Subscription[]> {
  // There is one already, which is what this returns then.
  const { id: customer } = await post<{ id: string }>(
    page.request,
    '/vc-admin/user-diy/new-customer',
  );
  const { data } = await stripe.ask<{ data: Subscription[] }>(
    'GET',
    `/v1/subscriptions?customer=${customer}`,
  );
  return data.map(({ id, status }) => ({ id, status }));
}
