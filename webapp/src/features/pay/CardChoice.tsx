import { useId } from 'react';
import type { Card } from '@/api';
import { cx } from '@/lib/cx';
import { cardName, methodNoun } from '@/modules/billing/card-text';
import { SavedCard } from '@/modules/payments/SavedCard';

interface CardChoiceProps {
  cards: readonly Card[];
  defaultCardId: string | null;
  /** The id of the chosen card; null for a new one. */
  chosen: string | null;
  onChange: (chosen: string | null) => void;
  disabled: boolean;
  /** The label of the option for a new one. */
  newLabel: string;
}

/** The saved cards, and an option for a new one, as radio buttons. */
export function CardChoice(props: CardChoiceProps) {
  const { cards, defaultCardId, chosen, onChange, disabled, newLabel } = props;
  const name = useId();
  const option = (value: string | null) => ({
    type: 'radio',
    name,
    checked: value === chosen,
    disabled,
    onChange: () => onChange(value),
    className: 'size-5 shrink-0 accent-(--brand)',
  });
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold">Pay with</legend>
      <div className="divide-y divide-line rounded-card border border-control-line">
        {cards.map((card) => (
          <label key={card.id} className={rowClass}>
            <input {...option(card.id)} aria-label={nameOf(card, card.id === defaultCardId)} />
            <span className="min-w-0 grow">
              <SavedCard card={card} isDefault={card.id === defaultCardId} />
            </span>
          </label>
        ))}
        <label className={rowClass}>
          <input {...option(null)} />
          {newLabel}
        </label>
      </div>
    </fieldset>
  );
}

const nameOf = (card: Card, isDefault: boolean) =>
  `${cardName(card)}${isDefault ? `, your default ${methodNoun(card)}` : ''}`;

const rowClass = cx(
  'flex min-h-14 items-center gap-3 px-3 py-2 sm:gap-4 sm:px-4 font-medium first:rounded-t-card last:rounded-b-card',
  'hover:bg-brand-soft has-checked:bg-brand-soft',
);
