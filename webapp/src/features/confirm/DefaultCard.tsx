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
    <Card aria-labelledby="pays" className="max-sm:p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="pays" className="text-base">
          {card?.label ? 'Payment method' : 'Payment card'}
        </h2>
        {card && (
          <Button look="secondary" small onClick={() => navigate(cards.to, { state: cards.state })}>
            {card.label ? 'Manage payment methods' : 'Manage card(s)'}
          </Button>
        )}
      </div>
      {card ? (
        <SavedCard card={card} isDefault />
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
