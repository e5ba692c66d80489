import { type FormEvent, useState } from 'react';
import { CardField, useCardProvider } from '@/card-provider';
import { Button } from '@/ui/Button';
import { type Saved, saveCard } from './save-card';

type Progress = { status: 'idle' | 'busy' } | { status: 'failed'; message: string };

interface AddCardFormProps {
  onAdded: (saved: Extract<Saved, { ok: true }>) => void;
  /** Called when the card was declined: the saved cards may have changed. */
  onFailed: () => void;
}

/** The card field with its button; for use within CardElements. */
export function AddCardForm({ onAdded, onFailed }: AddCardFormProps) {
  const provider = useCardProvider();
  const [progress, setProgress] = useState<Progress>({ status: 'idle' });
  const busy = progress.status === 'busy';

  async function add(event: FormEvent) {
    event.preventDefault();
    if (!provider || busy) return;
    setProgress({ status: 'busy' });
    const saved = await saveCard(provider);
    if (saved.ok) return onAdded(saved);
    setProgress({ status: 'failed', message: saved.message });
    if (saved.declined) onFailed();
  }

  return (
    <form noValidate onSubmit={add}>
      <p className="mb-4 text-muted">
        Enter your card details. Your card will be saved as new default mode of payment.
      </p>
      <CardField
        disabled={busy}
        error={progress.status === 'failed' ? progress.message : undefined}
        onChange={() => setProgress((now) => (now.status === 'failed' ? { status: 'idle' } : now))}
      />
      <Button type="submit" busy={busy} className="mt-4 min-w-28">
        Add
      </Button>
    </form>
  );
}
