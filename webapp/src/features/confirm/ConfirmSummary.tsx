import { type ReactNode, useEffect, useRef } from 'react';
import type { Config, License, When } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { HowToEnd } from '@/components/HowToEnd';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PaymentFailure } from '@/components/PaymentFailure';
import { QuotedCharge } from '@/components/QuotedCharge';
import { useCardProvider, WithCardProvider } from '@/components/WithCardProvider';
import { paysInvoices } from '@/lib/capabilities';
import type { CardProvider } from '@/lib/card-provider/port';
import { longDateOf } from '@/lib/dates';
import { amountText, type PricedOffer, perInterval, priceText } from '@/lib/offer';
import { keptText } from '@/lib/payment/open-payment-text';
import type { Failure } from '@/lib/payment/payment-types';
import { planName } from '@/lib/plan-text';
import { changedText } from '@/lib/quote-text';
import { atOnceText, type ChargeText } from './charge-text';
import { PlanHint } from './PlanHint';
import type { PlanChange } from './use-plan-change';
import { WhenChoice } from './WhenChoice';

interface ConfirmSummaryProps {
  to: PricedOffer;
  planChange: PlanChange;
  /** The text about the charge, if there is no quote. */
  charge: ChargeText;
  config: Config;
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
  const { to, planChange, config, failure, onConfirm } = props;
  const { license, obstacle, options, when, quote } = planChange;
  const refusal =
    failure?.priceQuote && quote.state.status === 'ready'
      ? changedText(quote.state.quote, quote.state.refused, config)
      : null;
  const endsTrial = license?.raw.status === 'trialing' && when === 'now' && options.length < 2;
  return (
    <Card aria-labelledby="summary" className="figures">
      <h2 id="summary" className="text-xl">
        {to.plan.displayName}
      </h2>
      <p className="mt-1 text-muted">{`${priceText(to.price)} ${perInterval(to.ref.interval)}`}</p>
      {license && when === 'renewal' && options.length === 1 && !obstacle && (
        <AtRenewal license={license} config={config} />
      )}
      {license && options.length > 1 && (
        <WhenChoice
          options={options.map((option) => ({
            value: option,
            ...whenText(option, license, config),
          }))}
          value={when}
          onChange={planChange.setWhen}
        />
      )}
      <div className="mt-5 border-t border-line pt-5">
        {quote.state.status === 'off' ? (
          <ChargeWithoutQuote charge={props.charge} />
        ) : (
          <>
            <QuotedCharge
              state={quote.state}
              config={config}
              labels={{ due: 'Due now', next: 'Next charge' }}
              strong={when === 'renewal' ? 'next' : 'due'}
              retry={() => void quote.retry()}
            />
            <p className="mt-3 text-sm text-muted empty:hidden">{startText(planChange, config)}</p>
          </>
        )}
      </div>
      <div className="mt-5 space-y-4">
        {endsTrial && (
          <Notice tone="attention" live={false}>
            <p>Updating your plan ends your active trial.</p>
          </Notice>
        )}
        {failure ? (
          <FocusedFailure key={failure.priceQuote?.quote} failure={failure}>
            {refusal ?? props.consequence}
          </FocusedFailure>
        ) : (
          props.notice
        )}
        {onConfirm ? (
          <WithCardProvider provider={config.provider} placeholder={<Skeleton className="h-11" />}>
            <ConfirmButton
              label={failure?.unauthenticated ? 'Authenticate' : confirmLabel(planChange, config)}
              onConfirm={onConfirm}
            />
          </WithCardProvider>
        ) : (
          <NothingToConfirm>
            {obstacle && <PlanHint obstacle={obstacle} contact={config.contact.email} />}
          </NothingToConfirm>
        )}
        {props.children}
      </div>
      <HowToEnd config={config}>
        {`Renews every ${to.ref.interval === 'yearly' ? 'year' : 'month'} at ${priceText(to.price)}.`}
      </HowToEnd>
    </Card>
  );
}

/** When the card is charged, if a subscription begins or a trial ends. */
function startText({ license, when, quote: { state } }: PlanChange, config: Config): string {
  if (state.status !== 'ready') return '';
  if (license) {
    const endsTrial = license.raw.status === 'trialing' && when === 'now';
    return endsTrial ? atOnceText(paysInvoices(config)) : '';
  }
  return state.quote.dueNow.amount === 0 && state.quote.next
    ? 'Your card will be charged after the free trial period.'
    : 'Your subscription will start now.';
}

/** The effect of each choice on the current plan. */
function whenText(when: When, license: License, config: Config): { label: string; text: string } {
  const { status, trial_end, current_period_end } = license.raw;
  const trial = status === 'trialing';
  if (when === 'now') {
    return {
      label: 'Now',
      text: trial
        ? 'Updating your plan ends your active trial.'
        : 'What you have paid for and not used is taken off.',
    };
  }
  const end = (trial ? trial_end : null) ?? current_period_end;
  const on = end ? `, on ${longDateOf(end)}` : '';
  return {
    label: trial ? `When my trial ends${on}` : `At the next renewal${on}`,
    text: keptText(license, config),
  };
}

/** When the plan changes, if that can't be chosen. */
function AtRenewal({ license, config }: { license: License; config: Config }) {
  const { label, text } = whenText('renewal', license, config);
  const replaced = license.scheduled_change;
  return (
    <div className="mt-5">
      <p className="font-medium">{label}</p>
      <p className="mt-1 text-sm text-muted">
        {text}
        {replaced &&
          ` This replaces your change to ${planName(replaced.priceId, config)}, ${replaced.interval}.`}
      </p>
    </div>
  );
}

const ChargeWithoutQuote = ({ charge: { due, detail } }: { charge: ChargeText }) => (
  <dl>
    <dt className="text-muted">Due now</dt>
    <dd className="text-xl font-bold">{due}</dd>
    <dd className="mt-1 text-sm text-muted">{detail}</dd>
  </dl>
);

/** The label of the button; contains the amount if that has changed since it was first shown. */
function confirmLabel({ quote: { state } }: PlanChange, config: Config): string {
  const changed = state.status === 'ready' && state.before && state.quote.dueNow.amount > 0;
  return changed ? `Confirm ${amountText(config, state.quote.dueNow)}` : 'Confirm';
}

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
    {children && (
      <p id="not-now" className="text-sm text-muted">
        {children}
      </p>
    )}
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
