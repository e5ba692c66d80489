import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { Card as SavedCardData } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Card } from '@/components/Card';
import { SavedCard } from '@/components/SavedCard';
import { paths, routes } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';

/** The card that is charged, with a link to change it. */
export function DefaultCard({ card }: { card: SavedCardData | null }) {
  const navigate = useNavigate();
  const cards = useCardsAddress();
  return (
    <Card aria-labelledby="pays">
      <h2 id="pays" className="mb-3 text-lg">
        {card?.label ? 'Payment method' : 'Payment card'}
      </h2>
      {card ? (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <div className="min-w-0 grow basis-64">
            <SavedCard card={card} isDefault />
          </div>
          <Button look="secondary" onClick={() => navigate(cards.to, { state: cards.state })}>
            {card.label ? 'Manage payment methods' : 'Manage card(s)'}
          </Button>
        </div>
      ) : (
        <>
          <p className="mb-4 text-muted">Your organisation has no card to pay with yet.</p>
          <Link {...cards} className={buttonClass('secondary')}>
            Add a payment method
          </Link>
        </>
      )}
    </Card>
  );
}

/** The cards screen with a redirect back to this screen and its state. */
function useCardsAddress() {
  const debugParam = useDebugParam();
  const { state } = useLocation();
  return { to: paths.cards(debugParam), state: { ...state, redirectTo: routes.confirm } };
}
