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
  /** Null while the card can't be changed. */
  actions: CardActions | null;
}

/** A saved card and, unless it is the default one, what can be done with it. */
export function CardRow({ card, isDefault, actions }: CardRowProps) {
  const [asking, setAsking] = useState(false);
  return (
    <li className="py-3">
      <SavedCard card={card} isDefault={isDefault}>
        {actions && !isDefault && (
          <OptionsMenu
            label={`More options for ${cardName(card)}`}
            busy={actions.busy === card.id}
            unavailable={actions.busy !== null && actions.busy !== card.id}
            options={[
              { label: 'Set as default', onSelect: () => void actions.makeDefault(card) },
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
            if (confirmed) void actions?.remove(card);
          }}
        />
      )}
    </li>
  );
}
