import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { defaultCardIdOf, type OpenPayment, type Card as PaymentCard } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { CardSkeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { isExpired, kindNoun } from '@/modules/billing/method-text';
import { can, providerMethodNoun } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { CardField } from '@/modules/payments/CardField';
import type { CardProvider } from '@/modules/payments/card-provider/port';
import { failedAttemptText } from '@/modules/payments/failed-attempt';
import { keepPlanLabel } from '@/modules/payments/open-payment-text';
import { PaymentFailure } from '@/modules/payments/PaymentFailure';
import type { PaymentChoice } from '@/modules/payments/pay-open-payment';
import { cardsQuery } from '@/modules/payments/queries';
import type { OpenPaymentState } from '@/modules/payments/use-open-payment-actions';
import { useCardProvider } from '@/modules/payments/WithCardProvider';
import { useServerTime } from '@/modules/session/dates';
import type { SignedInSession } from '@/modules/session/session-store';
import { CardChoice } from './CardChoice';

interface PayFormProps {
  payment: OpenPayment;
  state: OpenPaymentState;
  session: SignedInSession;
  /** The label of the main button. */
  payLabel: string;
  /** The consequence of a failure for the customer's money and plan. */
  consequence: string;
  /** Whether the screen says above the form why the last attempt failed. */
  isFailureShown: boolean;
  onPay: (choice: PaymentChoice, cardProvider: CardProvider) => void;
  /** Cancels the pending change; null if there is none. */
  onCancelChange: (() => void) | null;
}

/** The choice of a card and the button that pays. Must be rendered within `WithCardProvider`. */
export function PayForm(props: PayFormProps) {
  const { payment, state, session, payLabel, consequence, onPay, onCancelChange } = props;
  const config = useConfig();
  const savesMethods = can(config, 'saved_methods');
  const provider = useCardProvider();
  const { data, isFetched, isSuccess, refetch } = useQuery({
    ...cardsQuery,
    enabled: savesMethods,
  });
  const cards = isSuccess ? data : [];
  const defaultCardId = defaultCardIdOf(session.customer);
  const now = useServerTime();
  const usableCards = cards.filter((card) => !isExpired(card, now));
  const [selectedId, setSelectedId] = useSelectedCard(usableCards, defaultCardId, payment);
  const [makeDefault, setMakeDefault] = useState(true);
  const busy = state.kind === 'busy';
  const failure = state.kind === 'failed' ? state.failure : null;
  const lastFailure =
    failure || props.isFailureShown ? '' : failedAttemptText(payment, cards, config.timeZone);

  const noun = providerMethodNoun(config);
  if (savesMethods && !isFetched) return <PayFormSkeleton noun={noun} />;
  const hasPaymentPage = provider !== null && provider.Field === null;
  const isNewCardSelected = selectedId === null;
  const selectedCard = cards.find(({ id }) => id === selectedId);
  const asksForDefault =
    payment.kind !== 'authentication' &&
    selectedId !== defaultCardId &&
    !(isNewCardSelected && hasPaymentPage);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!provider || busy) return;
    setSelectedId(selectedId); // keeps a preselected card selected if the default changes
    onPay({ savedCardId: selectedId, makeDefault: asksForDefault && makeDefault }, provider);
  }

  return (
    <Card aria-label={hasPaymentPage ? 'Payment' : 'Card'} className="sm:p-8">
      <form onSubmit={submit} noValidate className="space-y-5">
        {savesMethods && !isSuccess && <CardsFailure noun={noun} retry={() => void refetch()} />}
        {lastFailure && (
          <Notice tone="attention" live={false}>
            <p>{lastFailure}</p>
          </Notice>
        )}
        {cards.length > 0 && (
          <CardChoice
            {...{ cards, defaultCardId, selectedId, onChange: setSelectedId, disabled: busy }}
            newCardLabel={
              cards.some(({ label }) => label) && !hasPaymentPage ? 'A new card' : `Another ${noun}`
            }
          />
        )}
        {isNewCardSelected && hasPaymentPage && (
          <p>
            You continue on the page of our payment provider, where you choose how to pay, and come
            back here afterwards.
          </p>
        )}
        {payment.kind === 'authentication' &&
          !hasPaymentPage &&
          isSuccess &&
          cards.length === 0 && (
            <p>
              Your card was not saved. Enter it again, or enter another card. Your bank then asks
              you to approve it.
            </p>
          )}
        {isNewCardSelected && (
          <CardField
            disabled={busy}
            error={failure?.scope === 'card' ? failure.message : undefined}
          />
        )}
        {asksForDefault && (
          <DefaultCheckbox
            label={`Use this ${selectedCard ? kindNoun(selectedCard) : noun} for future payments`}
            checked={makeDefault}
            disabled={busy}
            onChange={setMakeDefault}
          />
        )}
        {failure?.scope === 'payment' && (
          <PaymentFailure failure={failure}>{consequence}</PaymentFailure>
        )}
        <PayButtons
          {...{ state, payLabel, onCancelChange }}
          keepLabel={keepPlanLabel(session.user.license, config)}
          canPay={provider !== null}
        />
      </form>
    </Card>
  );
}

interface DefaultCheckboxProps {
  label: string;
  checked: boolean;
  disabled: boolean;
  onChange: (checked: boolean) => void;
}

/** The checkbox that makes the method of this payment the default one. */
const DefaultCheckbox = ({ label, checked, disabled, onChange }: DefaultCheckboxProps) => (
  <label className="flex min-h-11 items-center gap-3">
    <input
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
      className="check"
    />
    <span>{label}</span>
  </label>
);

interface PayButtonsProps extends Pick<PayFormProps, 'state' | 'payLabel' | 'onCancelChange'> {
  /** The label of the button that cancels a pending change. */
  keepLabel: string;
  /** Whether the provider's script is loaded. */
  canPay: boolean;
}

/** The button that pays and the one that cancels a pending change. While one is busy, the other is disabled. */
function PayButtons(props: PayButtonsProps) {
  const { state, payLabel, keepLabel, onCancelChange, canPay } = props;
  const isPaying = state.kind === 'busy' && state.action === 'pay';
  const isCanceling = state.kind === 'busy' && state.action === 'cancel';
  return (
    <>
      <Button type="submit" wide busy={isPaying} unavailable={!canPay || isCanceling}>
        {payLabel}
      </Button>
      {onCancelChange && (
        <Button
          variant="quiet"
          wide
          busy={isCanceling}
          unavailable={isPaying}
          onClick={onCancelChange}
        >
          {keepLabel}
        </Button>
      )}
    </>
  );
}

type Selection = [selectedId: string | null, select: (id: string | null) => void];

/**
 * Returns the id of the selected card, or null for a new card. Preselects the default card, or else the first card, but no
 * card that was declined. Preselects again when the selected card is removed.
 */
function useSelectedCard(
  cards: readonly PaymentCard[],
  defaultCardId: string | null,
  { failedMethodId }: OpenPayment,
): Selection {
  const [choice, setChoice] = useState<string | null>();
  const isSaved = (id: string | null) => cards.some((card) => card.id === id);
  const otherCards = cards.filter(({ id }) => id !== failedMethodId);
  const preselected = otherCards.find(({ id }) => id === defaultCardId) ?? otherCards[0];
  const preselectedId = preselected?.id ?? null;
  const needsPreselection = choice === undefined || (choice !== null && !isSaved(choice));
  return [needsPreselection ? preselectedId : choice, setChoice];
}

const PayFormSkeleton = ({ noun }: { noun: string }) => (
  <div role="status">
    <span className="sr-only">{`Loading your ${noun}s...`}</span>
    <CardSkeleton className="h-80" />
  </div>
);

const CardsFailure = ({ noun, retry }: { noun: string; retry: () => void }) => (
  <Notice tone="attention" title={`Your saved ${noun}s could not be loaded`}>
    <p>{`Pay with another ${noun}, or try again.`}</p>
    <Button variant="secondary" className="mt-3" onClick={retry}>
      Try again
    </Button>
  </Notice>
);
