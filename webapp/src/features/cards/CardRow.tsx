import { useState } from 'react';
import type { Card } from '@/api';
import { cardName } from './card-words';
import { DeleteDialog } from './DeleteDialog';
import { OptionsMenu } from './OptionsMenu';
import { SavedCard } from './SavedCard';
import type { CardActions } from './use-card-actions';

interface CardRowProps {
  card: Card;
  isDefault: boolean;
  actions: CardActions;
}

/** A saved card and, unless it is the default one, what can be done with it. */
export function CardRow({ card, isDefault, actions }: CardRowProps) {
  const [asking, setAsking] = useState(false);
  const { busy, makeDefault, remove } = actions;
  return (
    <li className="py-3">
      <SavedCard card={card} isDefault={isDefault}>
        {!isDefault && (
          <OptionsMenu
            label={`More options for ${cardName(card)}`}
            busy={busy === card.id}
            unavailable={busy !== null && busy !== card.id}
            options={[
              { label: 'Set as default', onSelect: () => void makeDefault(card) },
              { label: 'Delete', danger: true, onSelect: () => setAsking(true) },
            ]}
          />
        )}
      </SavedCard>
      {asking && (
        <DeleteDialog
          card={card}
          onClose={(confirmed) => {
            setAsking(false);
            if (confirmed) void remove(card);
          }}
        />
      )}
    </li>
  );
}
