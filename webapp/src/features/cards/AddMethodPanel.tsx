import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Card } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { PanelSection } from '@/components/Panel';
import { leavePage } from '@/lib/leave-page';
import { useDebug } from '@/modules/session/navigation';
import { storeVisit } from './method-page-visit';
import { openMethodPage } from './save-card';

interface AddMethodPanelProps {
  /** The saved methods; undefined until they are loaded. */
  methods: readonly Card[] | undefined;
}

type RequestState = { status: 'idle' | 'busy' } | { status: 'failed'; message: string };

/** The panel that opens the provider's page, where the customer saves a payment method. */
export function AddMethodPanel({ methods }: AddMethodPanelProps) {
  const [requestState, setRequestState] = useState<RequestState>({ status: 'idle' });
  const { state } = useLocation();
  const debug = useDebug();
  const busy = requestState.status === 'busy';

  async function openPage() {
    if (!methods || busy) return;
    setRequestState({ status: 'busy' });
    const page = await openMethodPage();
    if ('message' in page) return setRequestState({ status: 'failed', message: page.message });
    storeVisit({ saved: methods.map(({ id }) => id), debug, state });
    leavePage(page.url, () => setRequestState({ status: 'idle' }));
  }

  return (
    <PanelSection>
      <h2 className="text-lg">Add a payment method</h2>
      <p className="mt-2 text-muted">
        You continue on the page of our payment provider and come back here afterwards. The payment
        method that you save there becomes your default one.
      </p>
      {requestState.status === 'failed' && (
        <Notice tone="danger" className="mt-4" title={requestState.message} />
      )}
      <Button className="mt-4" busy={busy} unavailable={!methods} onClick={() => void openPage()}>
        Add a payment method
      </Button>
    </PanelSection>
  );
}
