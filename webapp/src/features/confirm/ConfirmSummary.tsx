import { useEffect, useRef } from 'react';
import type { Config } from '@/api';
import { CardElements, type CardProvider, useCardProvider } from '@/card-provider';
import { type Offer, type Price, perInterval, priceText } from '@/features/payment/offer';
import { PaymentFailure } from '@/features/payment/PaymentFailure';
import type { Failure } from '@/features/payment/payment-types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Notice } from '@/ui/Notice';
import { Skeleton } from '@/ui/Skeleton';
import type { ChargeWords } from './charge-words';

interface ConfirmSummaryProps {
  to: Offer & { price: Price };
  charge: ChargeWords;
  /** Whom to write to, to end the subscription. */
  contact: string;
  /** Whether a trial runs, which the change ends. */
  endsTrial: boolean;
  failure: Failure | null;
  /** As config.json has it: the provider may have to ask the card's owner. */
  provider: Config['provider'];
  /** Null when there is no card to pay with. */
  onConfirm: ((cards: CardProvider) => void) | null;
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
        {failure && <FocusedFailure failure={failure} />}
        {onConfirm ? (
          <CardElements provider={provider} placeholder={<Skeleton className="h-11" />}>
            <ConfirmButton onConfirm={onConfirm} />
          </CardElements>
        ) : (
          <NothingToConfirm />
        )}
      </div>
      <HowToEnd to={to} contact={contact} />
    </Card>
  );
}

/** For use within `CardElements`. */
function ConfirmButton({ onConfirm }: { onConfirm: (cards: CardProvider) => void }) {
  const cards = useCardProvider();
  return (
    <Button wide unavailable={!cards} onClick={() => cards && onConfirm(cards)}>
      Confirm
    </Button>
  );
}

const NothingToConfirm = () => (
  <>
    <Button wide unavailable aria-describedby="no-card">
      Confirm
    </Button>
    <p id="no-card" className="text-sm text-muted">
      Add a payment method first.
    </p>
  </>
);

/** The page was gone while it was busy: whoever used a keyboard goes on from here. */
function FocusedFailure({ failure }: { failure: Failure }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1}>
      <PaymentFailure failure={failure} />
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
