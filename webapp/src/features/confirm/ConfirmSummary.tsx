import { type ReactNode, useEffect, useRef } from 'react';
import type { Config, Card as SavedCard } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { Skeleton } from '@/components/Loading';
import { kindNoun, methodNoun } from '@/modules/billing/card-text';
import { HowToEnd } from '@/modules/billing/HowToEnd';
import type { PricedOffer } from '@/modules/billing/offer';
import { payingNoun, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import type { Failure } from '@/modules/payments/payment-types';
import { QuotedCharge } from '@/modules/payments/QuotedCharge';
import { changedText } from '@/modules/payments/quote-text';
import { useCardProvider, WithCardProvider } from '@/modules/payments/WithCardProvider';
import { atOnceText, type ChargeText } from './charge-text';
import { expectedCharge } from './expected-charge';
import { ObstacleText } from './ObstacleText';
import type { PlanChange } from './use-plan-change';

interface ConfirmSummaryProps {
  to: PricedOffer;
  planChange: PlanChange;
  /** The text about the charge, if there is no quote; its detail also says until when a pending change can be paid. */
  charge: ChargeText;
  /** The default card. */
  card: SavedCard | null;
  failure: Failure | null;
  /** The consequence of a failure for the plan; undefined for a first payment. */
  consequence?: string;
  /** A notice above the button, such as the result of the last step. */
  notice: ReactNode;
  /** Null when it can't be confirmed. */
  onConfirm: ((cards: CardProvider) => void) | null;
  /** Further actions for a change that waits for its payment. */
  children?: ReactNode;
}

/** The charges with their dates, and the button. */
export function ConfirmSummary(props: ConfirmSummaryProps) {
  const config = useConfig();
  const { to, planChange, failure, onConfirm } = props;
  const { obstacle, quote, scheduled } = planChange;
  const refusal =
    failure?.priceQuote && quote.state.status === 'ready'
      ? changedText(quote.state.quote, quote.state.refused, config)
      : null;
  return (
    <Card aria-labelledby="summary" className="figures max-sm:p-4">
      <h2 id="summary" className="sr-only">
        Summary
      </h2>
      {quote.state.status === 'off' ? (
        <ChargeWithoutQuote charge={props.charge} />
      ) : (
        <QuotedCharge
          state={quote.state}
          labels={{
            due: 'Due now',
            detail: planChange.pending ? props.charge.detail : dueText(planChange, to),
            next: 'Next charge',
          }}
          expected={expectedCharge(planChange, to, config)}
          retry={scheduled ? undefined : () => void quote.retry()}
        />
      )}
      <div className="mt-5 space-y-4">
        {failure ? (
          <FocusedFailure key={failure.priceQuote?.quote} failure={failure}>
            {refusal ?? props.consequence}
          </FocusedFailure>
        ) : (
          props.notice
        )}
        {onConfirm ? (
          <>
            <WithCardProvider
              provider={config.provider}
              placeholder={<Skeleton className="h-11" />}
            >
              <ConfirmButton
                label={failure?.unauthenticated ? 'Authenticate' : 'Confirm'}
                onConfirm={onConfirm}
              />
            </WithCardProvider>
            <p className="min-h-5.25 text-center text-sm text-muted">
              {effectText(planChange, props.card, config)}
            </p>
          </>
        ) : (
          !isDroppable(planChange) && (
            <NothingToConfirm>
              {obstacle && <ObstacleText obstacle={obstacle} contact={config.contact.email} />}
            </NothingToConfirm>
          )
        )}
        {props.children}
      </div>
      <HowToEnd>{`Renews every ${to.ref.interval === 'yearly' ? 'year' : 'month'}.`}</HowToEnd>
    </Card>
  );
}

/** Whether dropping the scheduled change is all that can be done; there is no button to confirm then. */
const isDroppable = ({ scheduled, obstacle, quote }: PlanChange): boolean =>
  obstacle?.kind === 'scheduled' || (scheduled !== null && quote.state.status === 'failed');

/** What happens with the charge, if a trial ends with it. */
const dueText = ({ license, when }: PlanChange, { plan }: PricedOffer): string | undefined =>
  license?.raw.status === 'trialing' && when === 'now'
    ? `Your trial ends and ${plan.displayName} starts`
    : undefined;

/** How the amount is charged. */
function effectText(
  { license, quote: { state } }: PlanChange,
  card: SavedCard | null,
  config: Config,
): string {
  if (state.status !== 'ready') return '';
  const { dueNow, next } = state.quote;
  if (!license) {
    return dueNow.amount === 0 && next
      ? `Your ${card ? kindNoun(card) : payingNoun(config)} will be charged after the free trial period.`
      : 'Your subscription will start now.';
  }
  if (dueNow.amount === 0) return 'Nothing is charged now.';
  if (paysInvoices(config)) return atOnceText(true);
  return card ? `Charged to your default ${methodNoun(card)}.` : '';
}

const ChargeWithoutQuote = ({ charge: { due, detail } }: { charge: ChargeText }) => (
  <dl>
    <dt className="text-muted">Due now</dt>
    <dd className="text-2xl font-heading tracking-amount">{due}</dd>
    <dd className="mt-1 text-sm text-muted">{detail}</dd>
  </dl>
);

/** For use within `WithCardProvider`. */
function ConfirmButton({
  label,
  onConfirm,
}: {
  label: string;
  onConfirm: (cards: CardProvider) => void;
}) {
  const cards = useCardProvider();
  return (
    <Button wide unavailable={!cards} onClick={() => cards && onConfirm(cards)}>
      {label}
    </Button>
  );
}

const NothingToConfirm = ({ children }: { children: ReactNode }) => (
  <>
    <Button wide unavailable aria-describedby={children ? 'not-now' : undefined}>
      Confirm
    </Button>
    {/* Without a reason it keeps the place of the text about the charge. */}
    <p id="not-now" className="min-h-5.25 text-sm text-muted">
      {children}
    </p>
  </>
);

/** Moves the focus here, because the busy view has replaced the focused button. */
function FocusedFailure({ failure, children }: { failure: Failure; children?: ReactNode }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.focus(), []);
  return (
    <div ref={container} tabIndex={-1}>
      <PaymentFailure failure={failure}>{children}</PaymentFailure>
    </div>
  );
}
