import { useState } from 'react';
import type { Card } from '@/api';
import { ConfirmDialog } from '@/components/Dialog';
import { kindNoun, methodInSentence, methodNameInSentence } from '@/modules/billing/method-text';
import { SavedCard } from '@/modules/payments/SavedCard';
import { OptionsMenu } from './OptionsMenu';
import type { CardActions } from './use-card-actions';

interface CardRowProps {
  card: Card;
  isDefault: boolean;
  /** The text about what the card is used for; may be empty. */
  usage: string;
  /** Null while the card can't be changed. */
  actions: CardActions | null;
}

/** A saved card with its menu. The default card has no menu. */
export function CardRow({ card, isDefault, usage, actions }: CardRowProps) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  return (
    <li className="py-3">
      <SavedCard card={card} isDefault={isDefault} note={usage}>
        {actions && !isDefault && (
          <OptionsMenu
            label={`More options for ${methodNameInSentence(card)}`}
            busy={actions.busyCardId === card.id}
            unavailable={actions.busyCardId !== null && actions.busyCardId !== card.id}
            options={[
              { label: 'Set as default', onSelect: () => void actions.makeDefault(card) },
              { label: 'Delete', danger: true, onSelect: () => setIsDialogOpen(true) },
            ]}
          />
        )}
      </SavedCard>
      {isDialogOpen && (
        <DeleteDialog
          card={card}
          onClose={(isConfirmed) => {
            setIsDialogOpen(false);
            if (isConfirmed) void actions?.deleteCard(card);
          }}
        />
      )}
    </li>
  );
}

interface DeleteDialogProps {
  card: Card;
  onClose: (isConfirmed: boolean) => void;
}

/** Asks for confirmation before a card is deleted. */
const DeleteDialog = ({ card, onClose }: DeleteDialogProps) => (
  <ConfirmDialog
    title={`Delete this ${kindNoun(card)}?`}
    text={`The ${methodInSentence(card)} is removed from your organisation. To use it again you would have to enter it again.`}
    label="Delete"
    onClose={onClose}
  />
);
