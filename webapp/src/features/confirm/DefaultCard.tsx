import { useLocation } from 'react-router-dom';
import type { Card as PaymentCard } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Card } from '@/components/Card';
import { routes } from '@/lib/paths';
import { providerMethodNoun } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { SavedCard } from '@/modules/payments/SavedCard';
import { AppLink } from '@/modules/session/AppLink';
import { useGo } from '@/modules/session/navigation';

/** The default card with a button to manage the cards, or a link to add the first one. */
export function DefaultCard({ card }: { card: PaymentCard | null }) {
  const go = useGo();
  const cardsLink = useCardsLink();
  const noun = providerMethodNoun(useConfig());
  return (
    <Card aria-labelledby="payment-card" className="max-sm:p-4">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="payment-card" className="text-base">
          Payment method
        </h2>
        {card && (
          <Button
            variant="secondary"
            small
            onClick={() => go(cardsLink.to, { state: cardsLink.state })}
          >
            {card.label ? 'Manage payment methods' : 'Manage card(s)'}
          </Button>
        )}
      </div>
      {card ? (
        <SavedCard card={card} isDefault />
      ) : (
        <>
          <p className="mb-4 text-muted">{`Your organisation has no ${noun} to pay with yet.`}</p>
          <AppLink {...cardsLink} className={buttonClass('secondary')}>
            Add a payment method
          </AppLink>
        </>
      )}
    </Card>
  );
}

/** Returns the path of the cards screen and the navigation state with which that screen leads back here. */
function useCardsLink() {
  const { state } = useLocation();
  return { to: routes.cards, state: { ...state, redirectTo: routes.confirm } };
}
