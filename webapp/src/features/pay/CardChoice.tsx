import { useId } from 'react';
import type { Card } from '@/api';
import { choiceClass } from '@/components/choice-class';
import { cx } from '@/lib/cx';
import { expiryWarning, isExpired, methodName, methodNoun } from '@/modules/billing/method-text';
import { SavedCard } from '@/modules/payments/SavedCard';
import { useServerTime } from '@/modules/session/dates';

interface CardChoiceProps {
  cards: readonly Card[];
  defaultCardId: string | null;
  /** The id of the selected card; null for a new one. */
  selectedId: string | null;
  onChange: (selectedId: string | null) => void;
  disabled: boolean;
  /** The label of the option for a new card. */
  newCardLabel: string;
}

/** Radio buttons for the saved cards and a new card. Expired cards are disabled. */
export function CardChoice(props: CardChoiceProps) {
  const { cards, defaultCardId, selectedId, onChange, disabled, newCardLabel } = props;
  const name = useId();
  const now = useServerTime();
  const radioProps = (id: string | null) => ({
    type: 'radio',
    name,
    checked: id === selectedId,
    disabled,
    onChange: () => onChange(id),
    className: 'check',
  });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">Pay with</legend>
      <div className="divide-y divide-line rounded-card border border-control-line">
        {cards.map((card) => (
          <label key={card.id} className={rowClass}>
            <input
              {...radioProps(card.id)}
              disabled={disabled || isExpired(card, now)}
              aria-label={labelOf(card, card.id === defaultCardId, now)}
            />
            <span className="min-w-0 grow">
              <SavedCard card={card} isDefault={card.id === defaultCardId} />
            </span>
          </label>
        ))}
        <label className={rowClass}>
          <input {...radioProps(null)} />
          <span>{newCardLabel}</span>
        </label>
      </div>
    </fieldset>
  );
}

const labelOf = (card: Card, isDefault: boolean, now: number) =>
  [
    methodName(card),
    isDefault && `your default ${methodNoun(card)}`,
    expiryWarning(card, now).toLowerCase(),
  ]
    .filter(Boolean)
    .join(', ');

const rowClass = cx(
  'flex min-h-14 items-center gap-3 px-3 py-2 sm:gap-4 sm:px-4 font-medium first:rounded-t-card last:rounded-b-card',
  choiceClass,
  // The background of the badge must differ from that of the selected row.
  'has-checked:**:data-badge:bg-surface',
);
