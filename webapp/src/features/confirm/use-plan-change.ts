import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { License, OpenPayment, PriceChoice, QuoteRequest, When } from '@/api';
import { can, hasCardField } from '@/lib/capabilities';
import { isPriceOfLicense } from '@/lib/license';
import { type Offer, offerOf, priceIdOf } from '@/lib/offer';
import { useQuote } from '@/lib/payment/use-quote';
import type { PriceRef } from '@/rules/types';
import type { Facts, ToConfirm } from './use-confirmation';
import { whenOptions } from './when';

/** Why the change can't be confirmed. */
export type Obstacle =
  | { kind: 'no_card' | 'unavailable' }
  /** A payment is made first; `next` is what is possible afterwards. */
  | { kind: 'payment'; next: 'change' | 'made' | 'subscribe' }
  | { kind: 'ending'; at: string }
  | { kind: 'hold'; disputed: boolean };

/** The change with its price, as it can be confirmed now. */
export interface PlanChange {
  /** The current licence; null when a subscription begins. */
  license: License | null;
  /** The current plan; null when the last subscription has ended. */
  current: PriceRef | null;
  /** The current plan in the catalogue; also null when it is no longer there. */
  from: Offer | null;
  /** The pending change, if it is the same one. */
  pending: OpenPayment | null;
  obstacle: Obstacle | null;
  /** The possible times; empty when a subscription begins. */
  options: When[];
  when: When;
  setWhen: (when: When) => void;
  quote: ReturnType<typeof useQuote>;
}

/** Decides what can be confirmed, and keeps a quote for it. `busy` keeps the present quote. */
export function usePlanChange(facts: ToConfirm & Facts, busy: boolean): PlanChange {
  const { change, config, to, open } = facts;
  const [chosen, setWhen] = useWhen();
  const license = change.from ? facts.license : null;
  const current = license ? refOf(license) : (change.from ?? null);
  const from = current && offerOf(config, current);
  const pending = license && isPendingFor(open, to.ref) ? open : null;
  const alreadyMade = license !== null && isPriceOfLicense(to.ref, license);
  const options =
    license && !pending && !alreadyMade ? whenOptions({ to, from, license, config }) : [];
  const when = options.find((option) => option === chosen) ?? options[0] ?? 'now';
  const available = alreadyMade || !license || options.length > 0;
  const canPay = facts.card !== null || !can(config, 'saved_methods') || !hasCardField(config);
  const blockingPayment = paymentObstacle(facts, license, pending);
  const obstacle = blockingPayment ?? licenseObstacle(license, pending, available, canPay);
  const firstPaymentOpen = !license && open?.kind === 'first_payment';
  const quoted =
    can(config, 'quotes') && !pending && !alreadyMade && !firstPaymentOpen && canBeQuoted(obstacle);
  const request: QuoteRequest = {
    ...choiceOf(to.ref),
    ...(when === 'renewal' && { when }),
    ...(!change.from && facts.noTrial && { no_trial: true }),
  };
  const quote = useQuote(quoted ? request : null, busy);
  return { license, current, from, pending, obstacle, options, when, setWhen, quote };
}

/** Keeps the choice in the navigation state, so that it survives a visit of the cards screen. */
function useWhen(): [When | undefined, (when: When) => void] {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const [chosen, setChosen] = useState<When | undefined>(state?.when);
  const setWhen = (when: When) => {
    setChosen(when); // at once, because the navigation is asynchronous
    navigate({ pathname, search }, { state: { ...state, when }, replace: true });
  };
  return [chosen, setWhen];
}

/** Whether the change can be quoted. A missing card does not change its price. */
const canBeQuoted = (obstacle: Obstacle | null) => !obstacle || obstacle.kind === 'no_card';

/** The payment that has to be made on the pay screen first, or null. */
function paymentObstacle(
  { open, transfer }: Facts,
  license: License | null,
  pending: OpenPayment | null,
): Obstacle | null {
  if (!license) return open?.kind === 'owed' ? { kind: 'payment', next: 'subscribe' } : null;
  if (transfer) return { kind: 'payment', next: pending ? 'made' : 'change' };
  const refused = ['first_payment', 'overdue', 'plan_change'];
  return open && open !== pending && refused.includes(open.kind)
    ? { kind: 'payment', next: 'change' }
    : null;
}

function licenseObstacle(
  license: License | null,
  pending: OpenPayment | null,
  available: boolean,
  pays: boolean,
): Obstacle | null {
  if (license?.hold) return { kind: 'hold', disputed: license.hold === 'disputed' };
  if (license?.ends_at) return { kind: 'ending', at: license.ends_at };
  if (!available && !pending) return { kind: 'unavailable' };
  return pays ? null : { kind: 'no_card' };
}

/** Whether the open payment is for the change to this price. */
function isPendingFor(open: OpenPayment | null, to: PriceRef): open is OpenPayment {
  return open?.kind === 'plan_change' && open.priceId === priceIdOf(to);
}

/** The server's license overrides the navigation state. */
function refOf({ interval, currency, raw }: License): PriceRef {
  return { product: raw.metadata.name, interval, currency };
}

/** The parameters of a price in a call. */
export const choiceOf = ({ product, interval, currency }: PriceRef): PriceChoice => ({
  priceId: priceIdOf({ product, interval }),
  interval,
  currency,
});
