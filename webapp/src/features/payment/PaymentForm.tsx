import type { FormEvent } from 'react';
import { CardField, type CardProvider, useCardProvider } from '@/card-provider';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { PaymentFailure } from './PaymentFailure';
import type { PaymentState } from './use-payment';

interface PaymentFormProps {
  state: PaymentState;
  /** When the card is charged, in words. */
  when: string;
  onPay: (cards: CardProvider) => void;
}

/** The card, and the one button; for use within `CardElements`. */
export function PaymentForm({ state, when, onPay }: PaymentFormProps) {
  const cards = useCardProvider();
  const busy = state.kind === 'busy';
  const failure = state.kind === 'failed' ? state : null;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (cards) onPay(cards);
  }

  return (
    <Card aria-label="Card" className="sm:p-8">
      <form onSubmit={submit} noValidate className="space-y-5">
        <CardField
          disabled={busy}
          error={failure?.about === 'card' ? failure.message : undefined}
        />
        <p>{when}</p>
        {failure?.about === 'payment' && <PaymentFailure failure={failure} />}
        <Button type="submit" wide busy={busy}>
          Subscribe
        </Button>
        <p className="text-sm text-muted">
          Your card goes straight to our payment provider. We keep its brand, the last four digits
          and the expiry, and never see the rest.
        </p>
      </form>
    </Card>
  );
}
