import { ChevronDown } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loading';
import { SheetPart } from '@/components/Sheet';
import { cx } from '@/lib/cx';
import { AcceptedBrands, CardField } from '@/modules/payments/CardField';
import type { ProviderConfig } from '@/modules/payments/card-provider/load';
import { useCardProvider, WithCardProvider } from '@/modules/payments/WithCardProvider';
import { type Saved, saveCard } from './save-card';

interface AddCardProps {
  provider: ProviderConfig;
  onAdded: (saved: Extract<Saved, { ok: true }>) => void;
  onFailed: () => void;
}

/** The collapsible 'Add card' panel. The provider's script is loaded when it is first opened. */
export function AddCard({ provider, onAdded, onFailed }: AddCardProps) {
  const [open, setOpen] = useState(false);
  const id = useId();

  function closeAndReport(saved: Extract<Saved, { ok: true }>) {
    setOpen(false);
    onAdded(saved);
  }

  return (
    <SheetPart className="p-0!">
      <h2 className="text-lg">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-18 w-full items-center justify-between gap-4 rounded-card px-4 sm:px-6 text-left hover:text-brand"
        >
          Add card
          <ChevronDown
            aria-hidden
            size={20}
            className={cx('transition-transform', open && 'rotate-180')}
          />
        </button>
      </h2>
      <div id={id} className="px-4 pb-6 sm:px-6">
        {open ? (
          <WithCardProvider provider={provider} placeholder={<Skeleton className="h-48" />}>
            <AddCardForm onAdded={closeAndReport} onFailed={onFailed} />
          </WithCardProvider>
        ) : (
          <AcceptedBrands />
        )}
      </div>
    </SheetPart>
  );
}

type Progress = { status: 'idle' | 'busy' } | { status: 'failed'; message: string };

interface AddCardFormProps {
  onAdded: (saved: Extract<Saved, { ok: true }>) => void;
  /** Called when the card was declined: the saved cards may have changed. */
  onFailed: () => void;
}

/** The card field with its button; for use within WithCardProvider. */
function AddCardForm({ onAdded, onFailed }: AddCardFormProps) {
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
