import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import {
  type ChangeTiming,
  type Config,
  type License,
  type OpenPayment,
  type PriceQuote,
  type QuoteRequest,
  quotePrice,
  type ScheduledChange,
  type UserDetail,
} from '@/api';
import { isPriceOfLicense } from '@/modules/billing/license';
import { type Offer, offerOf, priceChoiceOf, priceIdOf } from '@/modules/billing/offer';
import { can, hasCardField } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import type { PaymentState } from '@/modules/payments/use-payment';
import { type QuoteState, useQuote } from '@/modules/payments/use-quote';
import { queryClient } from '@/modules/session/query-client';
import type { PriceRef } from '@/rules/types';
import { isChargedNow, possibleTimings } from './change-timings';
import type { ChangeToConfirm, ConfirmationData } from './confirmation-query';

/** The reason why the change can't be confirmed. */
export type Obstacle =
  | { kind: 'no_card' | 'hold' | 'managed' | 'paused' | 'unavailable' }
  /** The scheduled change can be canceled, but there is nothing to confirm. */
  | { kind: 'scheduled' }
  /** Another payment is due first. `next` is the step after that payment; 'automatic_change' needs no confirmation. */
  | { kind: 'payment'; next: 'change' | 'automatic_change' | 'subscribe' }
  | { kind: 'ending'; endsAt: string }
  /** The server reports why the price can't be chosen now. */
  | { kind: 'reported'; reported: NonNullable<UserDetail['planObstacles']>[string] };

/** The change that the screen shows, with its possible timings, its quote and the obstacle to it. */
export interface PlanChange {
  /** The current license; null when a subscription begins. */
  license: License | null;
  /** The current plan; null when the last subscription has ended. */
  currentPriceRef: PriceRef | null;
  /** The current plan in the catalogue; null if there is none, or if the catalogue no longer has it. */
  currentOffer: Offer | null;
  /** The open payment of this change; the plan changes when it is paid. */
  pendingPayment: OpenPayment | null;
  /** The scheduled change, which this change would replace. */
  scheduledChange: ScheduledChange | null;
  /** Whether the scheduled change is to the same price as this change. */
  isScheduled: boolean;
  /** Whether this screen scheduled the change before a reload. */
  wasScheduledBeforeReload: boolean;
  obstacle: Obstacle | null;
  /** The possible timings; empty when a subscription begins. */
  timings: ChangeTiming[];
  /** The selected timing. */
  timing: ChangeTiming;
  setTiming: (timing: ChangeTiming) => void;
  quote: ReturnType<typeof useQuote>;
  /** Whether the effect on the credit is shown for each timing. */
  comparesCredit: boolean;
  /** The quotes of the timings, for this comparison; undefined while they load and after a failure. */
  timingQuotes: (PriceQuote | undefined)[];
}

/** Returns the state of the plan change and keeps its quote up to date. */
export function usePlanChange(
  props: ChangeToConfirm & ConfirmationData,
  payment: PaymentState,
): PlanChange {
  const config = useConfig();
  const { change, target, openPayment } = props;
  const [chosenTiming, setTiming] = useChosenTiming();
  const license = change.from ? props.license : null;
  const currentPriceRef = license
    ? licensePriceRef(license, target.priceRef)
    : (change.from ?? null);
  const currentOffer = currentPriceRef && offerOf(config, currentPriceRef);
  const pendingPayment =
    license && isPaymentForChange(openPayment, target.priceRef) ? openPayment : null;
  const scheduledChange = license?.scheduled_change ?? null;
  const isCurrent = license !== null && isPriceOfLicense(target.priceRef, license);
  const timings =
    license && !pendingPayment && !isCurrent
      ? possibleTimings({ target, currentOffer, license, config })
      : [];
  const timing = timings.find((value) => value === chosenTiming) ?? timings[0] ?? 'now';
  const priceId = priceIdOf(target.priceRef);
  const obstacle = findObstacle(
    props,
    { license, pendingPayment, timings, isCurrent, priceId },
    config,
  );
  // A pending change needs a quote too: if its payment has expired, the server refuses the quote and sends a new one.
  const needsQuote = can(config, 'quotes') && !isCurrent && !preventsQuote(obstacle);
  const request: QuoteRequest = {
    ...priceChoiceOf(target.priceRef),
    ...(!change.from && props.noTrial && { no_trial: true }),
  };
  const quote = useQuote(needsQuote ? timingRequest(request, timing) : null, {
    isInUse: payment.kind === 'busy',
    replacement: payment.kind === 'failed' ? payment.priceQuote : undefined,
    basis: scheduledChange?.priceId,
  });
  const comparesCredit =
    needsQuote &&
    timings.includes('now') &&
    license?.raw.status === 'active' &&
    !isChargedNow(target, currentOffer, license);
  const timingQuotes = useTimingQuotes({
    key: ['quotes', priceId, scheduledChange?.priceId],
    timings,
    requestOf: (when) => timingRequest(request, when),
    selected: { timing, state: quote.state },
    isEnabled: comparesCredit && (payment.kind === 'idle' || payment.kind === 'failed'),
  });
  const isScheduled = scheduledChange?.priceId === priceIdOf(target.priceRef);
  return {
    license,
    currentPriceRef,
    currentOffer,
    pendingPayment,
    scheduledChange,
    isScheduled,
    wasScheduledBeforeReload: isScheduled && chosenTiming === 'renewal',
    obstacle,
    timings,
    timing,
    setTiming,
    quote,
    comparesCredit,
    timingQuotes,
  };
}

interface TimingQuotesInput {
  /** The start of the query keys. */
  key: unknown[];
  timings: ChangeTiming[];
  requestOf: (timing: ChangeTiming) => QuoteRequest;
  /** The selected timing with the quote that the screen has requested for it. */
  selected: { timing: ChangeTiming; state: QuoteState };
  isEnabled: boolean;
}

/**
 * Returns the quote of each timing, undefined while it is unknown. The quote of the selected timing is not requested
 * again.
 */
function useTimingQuotes({ key, timings, requestOf, selected, isEnabled }: TimingQuotesInput) {
  const { timing, state } = selected;
  const results = useQueries({
    queries: timings.map((when) => ({
      queryKey: [...key, when],
      queryFn: () => quotePrice(requestOf(when)),
      enabled: isEnabled && when !== timing,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0, // the screen requests the quotes again when it is opened again
      meta: { failure: 'The effect on the credit could not be loaded' },
    })),
  });
  const selectedQuote = state.status === 'ready' ? state.quote : undefined;
  const selectedKey = JSON.stringify([...key, timing]);
  useEffect(() => {
    if (selectedQuote) queryClient.setQueryData(JSON.parse(selectedKey), selectedQuote);
  }, [selectedKey, selectedQuote]);
  return results.map(({ data }) => data);
}

/** Returns the request for the quote of this timing. */
const timingRequest = (request: QuoteRequest, when: ChangeTiming): QuoteRequest => ({
  ...request,
  ...(when === 'renewal' && { when }),
});

/**
 * Returns the chosen timing and a function that changes it. The navigation state stores the timing, so that the timing
 * is still chosen after a visit to the cards screen.
 */
function useChosenTiming(): [ChangeTiming | undefined, (timing: ChangeTiming) => void] {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const [chosenTiming, setChosenTiming] = useState<ChangeTiming | undefined>(state?.when);
  const choose = (timing: ChangeTiming) => {
    setChosenTiming(timing); // immediately, because the navigation is asynchronous
    navigate({ pathname, search }, { state: { ...state, when: timing }, replace: true });
  };
  return [chosenTiming, choose];
}

/** Whether the obstacle prevents a quote of the change: every obstacle does, except a missing card. */
export const preventsQuote = (obstacle: Obstacle | null): boolean =>
  obstacle !== null && obstacle.kind !== 'no_card';

type ChangeInput = Pick<PlanChange, 'license' | 'pendingPayment' | 'timings'> & {
  /** Whether the customer already has the price. */
  isCurrent: boolean;
  /** The price of the change. */
  priceId: string;
};

/** Returns the first obstacle to the change, or null if there is none. */
function findObstacle(
  data: ConfirmationData,
  { license, pendingPayment, timings, isCurrent, priceId }: ChangeInput,
  config: Config,
): Obstacle | null {
  if (data.isOnHold) return { kind: 'hold' };
  const obstacle = paymentObstacle(data, license, pendingPayment) ?? licenseObstacle(license);
  if (obstacle) return obstacle;
  const reported = data.planObstacles?.[priceId];
  if (reported && !pendingPayment) return { kind: 'reported', reported };
  if (license && !pendingPayment && timings.length === 0) {
    if (license.scheduled_change) return { kind: 'scheduled' };
    if (!isCurrent) return { kind: 'unavailable' };
  }
  const canPay = data.card !== null || !can(config, 'saved_methods') || !hasCardField(config);
  return canPay ? null : { kind: 'no_card' };
}

/** Returns the obstacle if a payment has to be made on the pay screen first, else null. */
function paymentObstacle(
  { openPayment, awaitsTransfer }: ConfirmationData,
  license: License | null,
  pendingPayment: OpenPayment | null,
): Obstacle | null {
  if (!license) return openPayment?.kind === 'owed' ? { kind: 'payment', next: 'subscribe' } : null;
  if (awaitsTransfer) {
    return { kind: 'payment', next: pendingPayment ? 'automatic_change' : 'change' };
  }
  const blockingKinds = ['first_payment', 'overdue', 'plan_change'];
  return openPayment && openPayment !== pendingPayment && blockingKinds.includes(openPayment.kind)
    ? { kind: 'payment', next: 'change' }
    : null;
}

function licenseObstacle(license: License | null): Obstacle | null {
  if (license?.managed) return { kind: 'managed' };
  if (license?.pause) return { kind: 'paused' };
  return license?.ends_at ? { kind: 'ending', endsAt: license.ends_at } : null;
}

/** Whether the open payment is for the change to this price. */
function isPaymentForChange(payment: OpenPayment | null, target: PriceRef): payment is OpenPayment {
  return payment?.kind === 'plan_change' && payment.priceId === priceIdOf(target);
}

/** Returns the price of a license. If its currency is unknown, it has the currency of the target. */
function licensePriceRef({ interval, currency, raw }: License, target: PriceRef): PriceRef | null {
  if (!interval) return null; // the catalogue has no price for the plan
  return { product: raw.metadata.name, interval, currency: currency || target.currency };
}
