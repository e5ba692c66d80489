import { type ReactNode, useRef, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { type Card, type Customer, defaultCardIdOf } from '@/api';
import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { WithConfig } from '@/app/WithConfig';
import type { ProviderConfig } from '@/card-provider/load-stripe-object';
import { useSession, useSessionStore } from '@/features/session/session-store';
import { Button } from '@/ui/Button';
import { Card as Surface } from '@/ui/Card';
import { Loading } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { PageTitle } from '@/ui/PageTitle';
import { AddCard } from './AddCard';
import { CardList } from './CardList';
import { cardName } from './card-words';
import { carriesRedirect, redirectOf } from './redirect-to';
import { useCardActions } from './use-card-actions';
import { useCardList } from './use-card-list';

/** The cards manager: the saved cards of the organisation, and a way to add one. */
export function CardsScreen() {
  const gate = useGate();
  const session = useSession();
  if (session.status === 'signedOut') return <Navigate to={paths.plans(gate)} replace />;
  return (
    <div className="page max-w-2xl pt-10 sm:pt-14">
      <GoBack />
      <PageTitle>Payment cards</PageTitle>
      {session.status === 'loading' ? (
        <Loading />
      ) : (
        <WithConfig>
          {({ provider }) => <CardsManager provider={provider} customer={session.customer} />}
        </WithConfig>
      )}
    </div>
  );
}

/** Only for who was sent here by another screen. */
function GoBack() {
  const navigate = useNavigate();
  if (!carriesRedirect(useLocation().state)) return null;
  return (
    <Button look="quiet" className="mb-4 -ml-4" onClick={() => navigate(-1)}>
      ← Go back
    </Button>
  );
}

interface CardsManagerProps {
  provider: ProviderConfig;
  customer: Customer | null;
}

function CardsManager({ provider, customer }: CardsManagerProps) {
  const { list, reload } = useCardList();
  const heading = useRef<HTMLHeadingElement>(null);
  const [said, setSaid] = useState<ReactNode>();
  const actions = useCardActions(reload, tell);
  const added = useAdded(reload, tell);

  /** Without the customer nobody knows which card is the default: it may have failed to load too. */
  async function retry() {
    if (!customer) await useSessionStore.getState().refresh();
    await reload();
  }

  /** What has the focus may be gone with what was done, so it goes on from the list. */
  function tell(what: string) {
    setSaid(what);
    heading.current?.focus();
  }

  return (
    <>
      <div role="status">
        {said && (
          <Notice tone="success" live={false} className="mt-6">
            <p>{said}</p>
          </Notice>
        )}
      </div>
      <Surface className="mt-6 pb-3">
        <h2 ref={heading} tabIndex={-1} className="mb-2 text-lg">
          Saved Card(s)
        </h2>
        <CardList
          list={list}
          defaultCardId={defaultCardIdOf(customer)}
          actions={actions}
          retry={retry}
        />
      </Surface>
      <AddCard provider={provider} onAdded={added} />
    </>
  );
}

/** After a card was added: back to the screen that asked for it, or on with the new list. */
function useAdded(reload: () => Promise<void>, tell: (what: string) => void) {
  const gate = useGate();
  const navigate = useNavigate();
  const { state } = useLocation();
  return async (card: Card) => {
    const to = redirectOf(state, gate);
    if (to) return navigate(to, { state, replace: true });
    await reload();
    tell(`${cardName(card)} was added and is your default card now.`);
  };
}
