import { Link } from 'react-router-dom';
import type { Config, Card as SavedCardData } from '@/api';
import { Card } from '@/components/Card';
import { SavedCard } from '@/components/SavedCard';
import { can } from '@/lib/capabilities';
import { paths } from '@/lib/paths';
import { useGate } from '@/lib/use-gate';

interface PaymentMethodProps {
  card: SavedCardData | null;
  provider: Config['provider'];
}

/** How the organisation pays. */
export function PaymentMethod({ card, provider }: PaymentMethodProps) {
  const gate = useGate();
  const saved = can({ provider }, 'saved_methods');
  return (
    <Card aria-labelledby="method">
      <h2 id="method" className="mb-3 text-lg">
        Payment method
      </h2>
      {card && <SavedCard card={card} isDefault />}
      {!card && (
        <p className="text-muted">
          {saved ? 'No card is saved yet.' : 'You pay each invoice when you receive it.'}
        </p>
      )}
      {saved && (
        <p className="mt-3">
          <Link to={paths.cards(gate)} className="text-link inline-block py-1">
            {card ? 'Manage card(s)' : 'Add a payment method'}
          </Link>
        </p>
      )}
    </Card>
  );
}
