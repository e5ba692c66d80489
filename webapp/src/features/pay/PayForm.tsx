import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { defaultCardIdOf, type OpenPayment } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { CardSkeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { kindNoun } from '@/modules/billing/card-text';
import { payingNoun } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { CardField } from '@/modules/payments/CardField';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import type { PaymentChoice } from '@/modules/payments/pay-open-payment';
import { cardsQuery } from '@/modules/payments/queries';
import type { OpenPaymentState } from '@/modules/payments/use-open-payment';
import { useCardProvider } from '@/modules/payments/WithCardProvider';
import type { SignedInSession } from '@/modules/session/session-store';
import { CardChoice } from './CardChoice';

interface PayFormProps {
  open: OpenPayment;
  state: OpenPaymentState;
  session: SignedInSession;
  /** Whether the provider saves cards or other payment methods. */
  saved: boolean;
  /** The label of the main button. */
  button: string;
  /** The consequence of a failure for the customer's money and plan. */
  consequence: string;
  onPay: (choice: PaymentChoice, cards: CardProvider) => void;
  /** Null when there is no pending change to drop. */
  onDrop: (() => void) | null;
}

/** The choice of a card and the button that pays; for use within `WithCardProvider`. */
export function PayForm(props: PayFormProps) {
  const { open, state, session, saved, button, consequence, onPay, onDrop } = props;
  const provider = useCardProvider();
  const { data, isFetched, isSuccess, refetch } = useQuery({ ...cardsQuery, enabled: saved });
  const [chosen, setChosen] = useState<string | null>();
  const [makeDefault, setMakeDefault] = useState(true);
  const defaultCardId = defaultCardIdOf(session.customer);
  const busy = state.kind === 'busy';
  const failure = state.kind === 'failed' ? state.failure : null;

  const noun = payingNoun(useConfig());
  if (saved && !isFetched) return <Placeholder noun={noun} />;
  const cards = isSuccess ? data : [];
  const isSaved = (id?: string | null) => cards.some((card) => card.id === id);
  const preselected = (isSaved(defaultCardId) ? defaultCardId : cards[0]?.id) ?? null;
  const savedCard = chosen === undefined || (chosen && !isSaved(chosen)) ? preselected : chosen;
  const onPage = provider !== null && provider.Field === null;
  const chosenCard = cards.find((card) => card.id === savedCard);
  const chosenNoun = chosenCard ? kindNoun(chosenCard) : noun;
  const newOnPage = onPage && savedCard === null;
  const asksForDefault =
    open.kind !== 'authentication' && savedCard !== defaultCardId && !newOnPage;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!provider || busy) return;
    setChosen(savedCard);
    onPay({ savedCard, makeDefault: asksForDefault && makeDefault }, provider);
  }

  return (
    <Card aria-label={onPage ? 'Payment' : 'Card'} className="sm:p-8">
      <form onSubmit={submit} noValidate className="space-y-5">
        {saved && !isSuccess && <CardsFailed noun={noun} retry={() => void refetch()} />}
        {cards.length > 0 && (
          <CardChoice
            {...{ cards, defaultCardId, chosen: savedCard, onChange: setChosen, disabled: busy }}
            newLabel={
              cards.some(({ label }) => label) && !onPage ? 'A new card' : `Another ${noun}`
            }
          />
        )}
        {newOnPage && (
          <p>
            You continue on the page of our payment provider, where you choose how to pay, and come
            back here afterwards.
          </p>
        )}
        {savedCard === null && (
          <CardField
            disabled={busy}
            error={failure?.scope === 'card' ? failure.message : undefined}
          />
        )}
        {asksForDefault && (
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              checked={makeDefault}
              disabled={busy}
              onChange={(event) => setMakeDefault(event.target.checked)}
              className="size-5 shrink-0 accent-(--brand)"
            />
            {`Use this ${chosenNoun} for future payments`}
          </label>
        )}
        {failure?.scope === 'payment' && (
          <PaymentFailure failure={failure}>{consequence}</PaymentFailure>
        )}
        <Button
          type="submit"
          wide
          busy={busy && !state.dropping}
          unavailable={!provider || (busy && state.dropping)}
        >
          {button}
        </Button>
        {onDrop && (
          <Button
            look="secondary"
            wide
            busy={busy && state.dropping}
            unavailable={busy && !state.dropping}
            onClick={onDrop}
          >
            Drop the change
          </Button>
        )}
      </form>
    </Card>
  );
}

const Placeholder = ({ noun }: { noun: string }) => (
  <div role="status">
    <span className="sr-only">{`Loading your ${noun}s...`}</span>
    <CardSkeleton className="h-80" />
  </div>
);

const CardsFailed = ({ noun, retry }: { noun: string; retry: () => void }) => (
  <Notice tone="attention" title={`Your saved ${noun}s could not be loaded`}>
    <p>{`Pay with another ${noun}, or try again.`}</p>
    <Button look="secondary" className="mt-3" onClick={retry}>
      Try again
    </Button>
  </Notice>
);
