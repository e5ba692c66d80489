import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { CardElements } from '@/card-provider';
import type { ProviderConfig } from '@/card-provider/load-stripe-object';
import { cx } from '@/ui/cx';
import { Skeleton } from '@/ui/Skeleton';
import { AddCardForm } from './AddCardForm';
import type { Saved } from './save-card';

interface AddCardProps {
  provider: ProviderConfig;
  onAdded: (saved: Extract<Saved, { ok: true }>) => void;
  onFailed: () => void;
}

/** The collapsible 'Add card' panel. The provider's script is loaded when it is first opened. */
export function AddCard({ provider, onAdded, onFailed }: AddCardProps) {
  const [open, setOpen] = useState(false);
  const id = useId();

  function added(saved: Extract<Saved, { ok: true }>) {
    setOpen(false);
    onAdded(saved);
  }

  return (
    <section className="mt-6 rounded-card border border-line bg-surface">
      <h2 className="text-lg">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex min-h-14 w-full items-center justify-between gap-4 rounded-card px-6 text-left hover:text-brand"
        >
          Add card
          <ChevronDown
            aria-hidden
            size={20}
            className={cx('transition-transform', open && 'rotate-180')}
          />
        </button>
      </h2>
      <div id={id} className="px-6 pb-6 empty:hidden">
        {open && (
          <CardElements provider={provider} placeholder={<Skeleton className="h-48" />}>
            <AddCardForm onAdded={added} onFailed={onFailed} />
          </CardElements>
        )}
      </div>
    </section>
  );
}
