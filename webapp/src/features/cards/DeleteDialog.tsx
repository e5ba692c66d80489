import { useEffect, useId, useRef } from 'react';
import type { Card } from '@/api';
import { Button } from '@/ui/Button';
import { cardName } from './card-words';

interface DeleteDialogProps {
  card: Card;
  onClose: (confirmed: boolean) => void;
}

/** Asks once before a card is deleted. Escape is a no. */
export function DeleteDialog({ card, onClose }: DeleteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => onClose(dialog.current?.returnValue === 'delete')}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-surface p-6 text-ink shadow-card backdrop:bg-[rgb(0_0_0/60%)]"
    >
      <h2 id={`${id}-title`} className="text-xl">
        Delete this card?
      </h2>
      <p id={`${id}-text`} className="mt-3 text-muted">
        {`The ${cardName(card)} is removed from your organisation. To use it again you would have to enter it again.`}
      </p>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button look="secondary" onClick={() => dialog.current?.close()}>
          Cancel
        </Button>
        <Button look="danger" onClick={() => dialog.current?.close('delete')}>
          Delete
        </Button>
      </div>
    </dialog>
  );
}
