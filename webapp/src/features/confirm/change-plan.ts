import * as api from '@/api';
import { isFor } from '@/features/payment/is-licensed';
import { rememberInvoice, type Store } from '@/features/payment/latest-invoice';
import { priceIdOf } from '@/rules/prices';
import type { PriceRef } from '@/rules/types';

/** A price the way the calls name it. */
export const choiceOf = ({ product, interval, currency }: PriceRef): api.PriceChoice => ({
  priceId: priceIdOf({ product, interval }),
  interval,
  currency,
});

/**
 * Moves the subscription to another price. A change whose payment was declined has been made all
 * the same, so that trying again is refused: what is left of it is its open invoice, and paying
 * that is the retry.
 */
export async function changePlan(
  to: PriceRef,
  debug: boolean,
  store: Store,
): Promise<api.Subscription> {
  try {
    return await api.changePlan(choiceOf(to), debug);
  } catch (error) {
    const unpaid = isConflict(error) ? await unpaidChange(to) : undefined;
    if (!unpaid?.latest_invoice) throw error;
    rememberInvoice(store, unpaid.latest_invoice);
    return unpaid;
  }
}

/** The subscription that has this price already and waits for its payment. */
async function unpaidChange(to: PriceRef): Promise<api.Subscription | undefined> {
  const license = (await api.getUserDetail())?.license;
  if (license?.raw.status !== 'past_due' || !isFor(to, license)) return undefined;
  const [unpaid] = await api.listSubscriptions('past_due');
  return unpaid;
}

function isConflict(error: unknown): boolean {
  return error instanceof api.ApiError && error.name === 'ERRCONFLICT';
}
