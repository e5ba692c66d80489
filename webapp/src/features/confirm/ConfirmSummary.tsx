import { type ReactNode, useEffect, useRef } from 'react';
import type { Card as PaymentCard } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { Skeleton } from '@/components/Loading';
import { cx } from '@/lib/cx';
import type { Elements } from '@/lib/elements';
import { HowToEnd } from '@/modules/billing/HowToEnd';
import { kindNoun, methodInSentence } from '@/modules/billing/method-text';
import type { PricedOffer } from '@/modules/billing/offer';
import { approvalTermsText } from '@/modules/billing/order-text';
import { reminderText } from '@/modules/billing/reminder-text';
import { paysInvoices, providerMethodNoun } from '@/modules/config/capabilities';
import { type ScreenConfig, useConfig } from '@/modules/config/config-store';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import type { Failure } from '@/modules/payments/payment-types';
import { QuotedCharge } from '@/modules/payments/QuotedCharge';
import { quoteChangeText, quoteFormat } from '@/modules/payments/quote-text';
import { useCardProvider, WithCardProvider } from '@/modules/payments/WithCardProvider';
import { longDate } from '@/modules/session/dates';
import { type ChargeText, invoicedOnConfirmText } from './charge-text';
import { ObstacleText } from './ObstacleText';
import { placeholderChangeQuote } from './placeholder-change-quote';
import { type PlanChange, preventsQuote } from './use-plan-change';

interface ConfirmSummaryProps {
  target: PricedOffer;
  planChange: PlanChange;
  /** The charge to show without a quote. With a quote, only its `detail` is shown, for a pending change. */
  charge: ChargeText;
  /** The default card. */
  card: PaymentCard | null;
  failure: Failure | null;
  /** The consequence of a failure for the plan; undefined for a first payment. */
  consequence?: string;
  /** The notice above the button when nothing failed. */
  notice: Elements;
  /** Whether the default card was declined, so that only another card can pay. There is no confirm button then. */
  needsOtherCard: boolean;
  /** Null while the change can't be confirmed. */
  onConfirm: ((cardProvider: CardProvider) => void) | null;
  /** The further actions for a pending change. */
  children?: Elements;
}

/** The summary of the charges, with the confirm button or the reason why it is disabled. */
export function ConfirmSummary(props: ConfirmSummaryProps) {
  const config = useConfig();
  const { target, planChange, failure } = props;
  const { quote, scheduledChange, obstacle } = planChange;
  const isImpossible = preventsQuote(obstacle); // nothing is charged or renewed then
  const newAmountText =
    failure?.priceQuote && quote.state.status === 'ready'
      ? quoteChangeText(quote.state.quote, quote.state.refusedQuote, config)
      : null;
  const reminder = reminderText(
    { interval: target.priceRef.interval, isTrial: false, daysLeft: Number.POSITIVE_INFINITY },
    config,
  );
  return (
    <Card aria-labelledby="summary" className="figures max-sm:p-4">
      <h2 id="summary" className="sr-only">
        Summary
      </h2>
      {isImpossible ? null : quote.state.status === 'off' ? (
        <ChargeWithoutQuote charge={props.charge} />
      ) : (
        <QuotedCharge
          state={quote.state}
          labels={{
            due: quoteOf(planChange)?.dueAt ? 'Invoice' : 'Due now',
            detail: planChange.pendingPayment ? props.charge.detail : dueDetail(planChange, target),
            next: 'Next charge',
          }}
          hasNext={quoteOf(planChange)?.approvalDueDays === undefined}
          placeholder={placeholderChangeQuote(planChange, target, config)}
          retry={scheduledChange ? undefined : () => void quote.retry()}
        />
      )}
      <div className={cx('space-y-4', !isImpossible && 'mt-5')}>
        {failure ? (
          <FocusedFailure key={failure.priceQuote?.quote} failure={failure}>
            {newAmountText ?? props.consequence}
          </FocusedFailure>
        ) : (
          props.notice
        )}
        {!props.needsOtherCard && <ConfirmAction {...props} />}
        {props.children}
      </div>
      {!isImpossible && (
        <HowToEnd>
          {`Renews every ${target.priceRef.interval === 'yearly' ? 'year' : 'month'}. ${reminder}`}
        </HowToEnd>
      )}
    </Card>
  );
}

type ConfirmActionProps = Pick<
  ConfirmSummaryProps,
  'planChange' | 'card' | 'failure' | 'onConfirm'
>;

/** The confirm button with its effect or, while it is disabled, with the reason. */
function ConfirmAction({ planChange, card, failure, onConfirm }: ConfirmActionProps) {
  const config = useConfig();
  if (onConfirm) {
    return (
      <>
        <WithCardProvider provider={config.provider} placeholder={<Skeleton className="h-11" />}>
          <ConfirmButton
            label={failure?.unauthenticated ? 'Authenticate' : 'Confirm'}
            onConfirm={onConfirm}
          />
        </WithCardProvider>
        <p className="min-h-5.25 text-center text-sm text-muted">
          {effectText(planChange, card, config)}
        </p>
      </>
    );
  }
  if (canOnlyCancel(planChange)) return null;
  const { obstacle } = planChange;
  return (
    <DisabledConfirmButton>
      {obstacle && <ObstacleText obstacle={obstacle} contact={config.contact.email} />}
    </DisabledConfirmButton>
  );
}

/** Returns the quote on the screen; null while there is none. */
const quoteOf = ({ quote: { state } }: PlanChange) =>
  state.status === 'ready' ? state.quote : null;

/** Whether the customer can only cancel the scheduled change; there is no confirm button then. */
const canOnlyCancel = ({ scheduledChange, obstacle, quote }: PlanChange): boolean =>
  obstacle?.kind === 'scheduled' || (scheduledChange !== null && quote.state.status === 'failed');

/** Returns the explanation of the amount due now when the change ends a trial. */
function dueDetail(
  { license, timing }: PlanChange,
  { plan, priceRef }: PricedOffer,
): string | undefined {
  if (license?.raw.status !== 'trialing' || timing !== 'now') return undefined;
  return license.raw.metadata.name === plan.id
    ? `Your trial ends and ${plan.displayName}, ${priceRef.interval}, starts`
    : `Your trial ends and ${plan.displayName} starts`;
}

/** Returns the text about the effect of the confirm button on payments; empty without a quote. */
function effectText(
  { license, quote: { state } }: PlanChange,
  card: PaymentCard | null,
  config: ScreenConfig,
): string {
  if (state.status !== 'ready') return '';
  const { dueNow, next, dueAt, approvalDueDays } = state.quote;
  if (approvalDueDays !== undefined)
    return `Your order is checked first: ${approvalTermsText(approvalDueDays)}.`;
  if (!license) {
    return dueNow.amount === 0 && next
      ? `Your ${card ? kindNoun(card) : providerMethodNoun(config)} will be charged after the free trial period.`
      : 'Your subscription will start now.';
  }
  if (dueNow.amount === 0) return 'Nothing is charged now.';
  if (dueAt)
    return `Due by ${longDate(new Date(dueAt), config.timeZone)}. Your plan changes when it is paid.`;
  if (paysInvoices(config)) return invoicedOnConfirmText;
  const amount = quoteFormat(state.quote, state.previousQuote, config).amountText(dueNow);
  return card ? `${amount} now, from ${methodInSentence(card)}` : `${amount} now`;
}

const ChargeWithoutQuote = ({ charge: { due, detail } }: { charge: ChargeText }) => (
  <dl>
    <dt className="text-muted">Due now</dt>
    <dd className="text-2xl font-heading tracking-amount">{due}</dd>
    <dd className="mt-1 text-sm text-muted">{detail}</dd>
  </dl>
);

interface ConfirmButtonProps {
  label: string;
  onConfirm: (cardProvider: CardProvider) => void;
}

/** Must be rendered within `WithCardProvider`. */
function ConfirmButton({ label, onConfirm }: ConfirmButtonProps) {
  const cardProvider = useCardProvider();
  return (
    <Button
      wide
      unavailable={!cardProvider}
      onClick={() => cardProvider && onConfirm(cardProvider)}
    >
      {label}
    </Button>
  );
}

const DisabledConfirmButton = ({ children }: { children: ReactNode }) => (
  <>
    <Button wide unavailable aria-describedby={children ? 'obstacle' : undefined}>
      Confirm
    </Button>
    {/* Reserves the place of the text, so that the layout does not shift when the amount is loaded. */}
    <p id="obstacle" className="min-h-5.25 text-sm text-muted">
      {children}
    </p>
  </>
);

/** The failure of the last step. Takes the focus, because the focused button was replaced. */
function FocusedFailure({ failure, children }: { failure: Failure; children?: string }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.focus(), []);
  return (
    <div ref={container} tabIndex={-1}>
      <PaymentFailure failure={failure}>{children}</PaymentFailure>
    </div>
  );
}
