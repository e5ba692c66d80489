import { useEffect, useId, useRef, useState } from 'react';
import type { Card } from '@/api';
import { Button } from '@/components/Button';
import { closeDialog, openDialog } from '@/lib/dialog';
import { cardNameInSentence, kindNoun, methodInSentence } from '@/modules/billing/card-text';
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
            label={`More options for ${cardNameInSentence(card)}`}
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

/** Asks for confirmation before a card is deleted. Escape closes the dialog without a confirmation. */
function DeleteDialog({ card, onClose }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (dialog.current) openDialog(dialog.current);
  }, []);
  const close = (value?: string) => dialog.current && closeDialog(dialog.current, value);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => onClose(dialog.current?.returnValue === 'delete')}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-surface p-6 text-ink shadow-card backdrop:bg-[rgb(0_0_0/60%)]"
    >
      <h2 id={`${id}-title`} className="text-xl">
        {`Delete this ${kindNoun(card)}?`}
      </h2>
      <p id={`${id}-text`} className="mt-3 text-muted">
        {`The ${methodInSentence(card)} is removed from your organisation. To use it again you would have to enter it again.`}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => close()}>
          Cancel
        </Button>
        <Button variant="danger" onClick={() => close('delete')}>
          Delete
        </Button>
      </div>
    </dialog>
  );
}
