import { ChevronDown } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Card } from '@/api';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loading';
import { PanelSection } from '@/components/Panel';
import { cx } from '@/lib/cx';
import { leavePage } from '@/lib/leave-page';
import { CardField } from '@/modules/payments/CardField';
import type { ProviderConfig } from '@/modules/payments/card-provider/load';
import { useCardProvider, WithCardProvider } from '@/modules/payments/WithCardProvider';
import { useDebug } from '@/modules/session/navigation';
import { storeVisit } from './method-page-visit';
import { type SaveSuccess, saveCard } from './save-card';

interface AddCardFormProps {
  /** The saved cards. */
  cards: readonly Card[];
  onAdd: (result: SaveSuccess) => void;
  /** Called after the card was declined, because the saved cards may have changed. */
  onDecline: () => void;
}

interface AddCardPanelProps extends AddCardFormProps {
  provider: ProviderConfig;
}

/** The collapsible 'Add card' panel. The provider's script is loaded when the panel is first opened. */
export function AddCardPanel({ provider, cards, onAdd, onDecline }: AddCardPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();

  function closeAndReport(result: SaveSuccess) {
    setIsOpen(false);
    onAdd(result);
  }

  return (
    <PanelSection className="p-0!">
      <h2 className="text-lg">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="flex min-h-18 w-full items-center justify-between gap-4 rounded-card px-4 sm:px-6 text-left hover:text-brand"
        >
          <span>Add card</span>
          <ChevronDown
            aria-hidden
            size={20}
            className={cx('transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      </h2>
      <div id={id} className="px-4 pb-6 empty:hidden sm:px-6">
        {isOpen && (
          <WithCardProvider provider={provider} placeholder={<Skeleton className="h-48" />}>
            <AddCardForm cards={cards} onAdd={closeAndReport} onDecline={onDecline} />
          </WithCardProvider>
        )}
      </div>
    </PanelSection>
  );
}

type RequestState = { status: 'idle' | 'busy' } | { status: 'failed'; message: string };

/** The card field with its button. Must be rendered within WithCardProvider. */
function AddCardForm({ cards, onAdd, onDecline }: AddCardFormProps) {
  const provider = useCardProvider();
  const { state } = useLocation();
  const debug = useDebug();
  const [requestState, setRequestState] = useState<RequestState>({ status: 'idle' });
  const busy = requestState.status === 'busy';

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!provider || busy) return;
    setRequestState({ status: 'busy' });
    const result = await saveCard(provider);
    if (result.ok) return onAdd(result);
    if (result.url) {
      storeVisit({ saved: cards.map(({ id }) => id), debug, state });
      return leavePage(result.url, () => setRequestState({ status: 'idle' }));
    }
    setRequestState({ status: 'failed', message: result.message });
    if (result.isDeclined) onDecline();
  }

  return (
    <form noValidate onSubmit={submit} className="max-w-120">
      <p className="mb-4 text-muted">
        Enter your card details. Your card will be saved as new default mode of payment.
      </p>
      <CardField
        disabled={busy}
        error={requestState.status === 'failed' ? requestState.message : undefined}
        onChange={() =>
          setRequestState((current) => (current.status === 'failed' ? { status: 'idle' } : current))
        }
      />
      <Button type="submit" busy={busy} className="mt-4 min-w-28">
        Add
      </Button>
    </form>
  );
}
