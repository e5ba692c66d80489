import { type ReactNode, useEffect, useRef } from 'react';
import type { Config } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { CardElements, useCardProvider } from '@/components/CardElements';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PaymentFailure } from '@/components/PaymentFailure';
import type { CardProvider } from '@/lib/card-provider/port';
import { type Offer, type Price, perInterval, priceText } from '@/lib/offer';
import type { Failure } from '@/lib/payment/payment-types';
import type { ChargeWords } from './charge-text';

interface ConfirmSummaryProps {
  to: Offer & { price: Price };
  charge: ChargeWords;
  /** Whom to write to, to end the subscription. */
  contact: string;
  /** Whether a trial runs, which the change ends. */
  endsTrial: boolean;
  failure: Failure | null;
  /** What a failure means for the plan; undefined for a first payment. */
  consequence?: string;
  /** What to know before confirming, such as how the last step ended. */
  notice: ReactNode;
  /** As config.json has it: the provider may have to ask the cardholder's bank. */
  provider: Config['provider'];
  /** Null when it can't be confirmed, for the reason in `hint`. */
  onConfirm: ((cards: CardProvider) => void) | null;
  hint: ReactNode;
  /** What else can be done about a change that waits for its payment. */
  children?: ReactNode;
}

/** What is charged and when, and the button. */
export function ConfirmSummary(props: ConfirmSummaryProps) {
  const { to, charge, contact, endsTrial, failure, provider, onConfirm } = props;
  return (
    <Card aria-labelledby="summary" className="figures">
      <h2 id="summary" className="text-xl">
        {to.plan.displayName}
      </h2>
      <p className="mt-1 text-muted">{`${priceText(to.price)} ${perInterval(to.ref.interval)}`}</p>
      <dl className="mt-5 border-t border-line pt-5">
        <dt className="text-muted">Due now</dt>
        <dd className="text-xl font-bold">{charge.due}</dd>
        <dd className="mt-1 text-sm text-muted">{charge.detail}</dd>
      </dl>
      <div className="mt-5 space-y-4">
        {endsTrial && (
          <Notice tone="attention" live={false}>
            <p>Updating your plan ends your active trial.</p>
          </Notice>
        )}
        {failure ? (
          <FocusedFailure failure={failure}>{props.consequence}</FocusedFailure>
        ) : (
          props.notice
        )}
        {onConfirm ? (
          <CardElements provider={provider} placeholder={<Skeleton className="h-11" />}>
            <ConfirmButton
              label={failure?.unauthenticated ? 'Authenticate' : 'Confirm'}
              onConfirm={onConfirm}
            />
          </CardElements>
        ) : (
          <NothingToConfirm>{props.hint}</NothingToConfirm>
        )}
        {props.children}
      </div>
      <HowToEnd to={to} contact={contact} />
    </Card>
  );
}

/** For use within `CardElements`. */
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
    <Button wide unavailable aria-describedby="not-now">
      Confirm
    </Button>
    <p id="not-now" className="text-sm text-muted">
      {children}
    </p>
  </>
);

/** Takes the focus, because the busy view replaced the focused button. */
function FocusedFailure({ failure, children }: { failure: Failure; children?: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1}>
      <PaymentFailure failure={failure}>{children}</PaymentFailure>
    </div>
  );
}

const HowToEnd = ({ to, contact }: Pick<ConfirmSummaryProps, 'to' | 'contact'>) => (
  <p className="mt-5 border-t border-line pt-4 text-sm text-muted">
    {`Renews every ${to.ref.interval === 'yearly' ? 'year' : 'month'} at ${priceText(to.price)}. To end it, write to `}
    <a href={`mailto:${contact}`} className="text-link">
      {contact}
    </a>
    .
  </p>
);
