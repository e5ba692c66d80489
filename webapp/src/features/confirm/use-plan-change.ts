import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { License, OpenPayment, QuoteRequest, ScheduledChange, When } from '@/api';
import { isPriceOfLicense } from '@/modules/billing/license';
import { type Offer, offerOf, priceChoiceOf, priceIdOf } from '@/modules/billing/offer';
import { can, hasCardField } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import type { PaymentState } from '@/modules/payments/use-payment';
import { useQuote } from '@/modules/payments/use-quote';
import type { PriceRef } from '@/rules/types';
import type { ChangeToConfirm, ConfirmationData } from './confirmation-query';
import { whenOptions } from './when';

/** Why the change can't be confirmed. */
export type Obstacle =
  | { kind: 'no_card' | 'hold' | 'paused' | 'unavailable' }
  /** The scheduled change can be dropped, but there is nothing to confirm. */
  | { kind: 'scheduled' }
  /** A payment has to be made first; `next` is what happens or can be done afterwards. */
  | { kind: 'payment'; next: 'change' | 'made' | 'subscribe' }
  | { kind: 'ending'; at: string };

/** The change with its price, as it can be confirmed now. */
export interface PlanChange {
  /** The current license; null when a subscription begins. */
  license: License | null;
  /** The current plan; null when the last subscription has ended. */
  current: PriceRef | null;
  /** The current plan in the catalogue; also null when it is no longer there. */
  from: Offer | null;
  /** The pending change, if it is the same one. */
  pending: OpenPayment | null;
  /** The change at the renewal, which this one replaces. */
  scheduled: ScheduledChange | null;
  /** Whether the scheduled change is the same one. */
  isScheduled: boolean;
  /** Whether this one was scheduled on this screen, which was reloaded since. */
  wasScheduled: boolean;
  obstacle: Obstacle | null;
  /** The possible times; empty when a subscription begins. */
  options: When[];
  when: When;
  setWhen: (when: When) => void;
  quote: ReturnType<typeof useQuote>;
}

/** Decides what can be confirmed, and keeps a quote for it. */
export function usePlanChange(
  props: ChangeToConfirm & ConfirmationData,
  payment: PaymentState,
): PlanChange {
  const config = useConfig();
  const { change, to, open } = props;
  const [chosen, setWhen] = useWhen();
  const license = change.from ? props.license : null;
  const current = license ? refOf(license, to.ref) : (change.from ?? null);
  const from = current && offerOf(config, current);
  const pending = license && isPendingFor(open, to.ref) ? open : null;
  const scheduled = license?.scheduled_change ?? null;
  const isCurrent = license !== null && isPriceOfLicense(to.ref, license);
  const options =
    license && !pending && !isCurrent ? whenOptions({ to, from, license, config }) : [];
  const when = options.find((option) => option === chosen) ?? options[0] ?? 'now';
  const canPay = props.card !== null || !can(config, 'saved_methods') || !hasCardField(config);
  const obstacle =
    holdObstacle(props) ??
    paymentObstacle(props, license, pending) ??
    licenseObstacle(license) ??
    offerObstacle({ scheduled, pending, isCurrent, options, isNew: !license, canPay });
  // An open payment is quoted too: if it expires meanwhile, the server refuses its quote with a fresh one.
  const quoted = can(config, 'quotes') && !isCurrent && canBeQuoted(obstacle);
  const request: QuoteRequest = {
    ...priceChoiceOf(to.ref),
    ...(when === 'renewal' && { when }),
    ...(!change.from && props.noTrial && { no_trial: true }),
  };
  const quote = useQuote(quoted ? request : null, {
    paused: payment.kind === 'busy',
    replacement: payment.kind === 'failed' ? payment.priceQuote : undefined,
    basis: scheduled?.priceId,
  });
  const isScheduled = scheduled?.priceId === priceIdOf(to.ref);
  const wasScheduled = isScheduled && chosen === 'renewal';
  const plans = { license, current, from, pending, scheduled, isScheduled, wasScheduled };
  return { ...plans, obstacle, options, when, setWhen, quote };
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

const holdObstacle = ({ onHold }: ConfirmationData): Obstacle | null =>
  onHold ? { kind: 'hold' } : null;

/** The payment that has to be made on the pay screen first, or null. */
function paymentObstacle(
  { open, transfer }: ConfirmationData,
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

function licenseObstacle(license: License | null): Obstacle | null {
  if (license?.pause) return { kind: 'paused' };
  return license?.ends_at ? { kind: 'ending', at: license.ends_at } : null;
}

interface Offered extends Pick<PlanChange, 'scheduled' | 'pending' | 'options'> {
  isCurrent: boolean;
  /** Whether a subscription begins. */
  isNew: boolean;
  canPay: boolean;
}

function offerObstacle(offered: Offered): Obstacle | null {
  const { scheduled, pending, isCurrent, options, isNew, canPay } = offered;
  const changeable = isNew || pending !== null || options.length > 0;
  if (!changeable && scheduled) return { kind: 'scheduled' };
  if (!changeable && !isCurrent) return { kind: 'unavailable' };
  return canPay ? null : { kind: 'no_card' };
}

/** Whether the open payment is for the change to this price. */
function isPendingFor(open: OpenPayment | null, to: PriceRef): open is OpenPayment {
  return open?.kind === 'plan_change' && open.priceId === priceIdOf(to);
}

/** Returns the price of a license, in the currency of the new one if its own is unknown. */
function refOf({ interval, currency, raw }: License, to: PriceRef): PriceRef {
  return { product: raw.metadata.name, interval, currency: currency || to.currency };
}
