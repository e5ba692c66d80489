import type { Config, Card as SavedCardData } from '@/api';
import { SheetPart } from '@/components/Sheet';
import { routes } from '@/lib/paths';
import { can, hasCardField } from '@/modules/config/capabilities';
import { SavedCard } from '@/modules/payments/SavedCard';
import { AppLink } from '@/modules/session/AppLink';

interface PaymentMethodProps {
  card: SavedCardData | null;
  provider: Config['provider'];
}

/** How the organisation pays. */
export function PaymentMethod({ card, provider }: PaymentMethodProps) {
  const saved = can({ provider }, 'saved_methods');
  const hasField = hasCardField({ provider });
  const onPage = can({ provider }, 'method_page');
  return (
    <SheetPart aria-labelledby="method">
      <h2 id="method" className="mb-3 text-lg">
        Payment method
      </h2>
      {card && <SavedCard card={card} isDefault />}
      {!card && <p className="text-muted">{textOf(saved, hasField, onPage)}</p>}
      {saved && (card || hasField || onPage) && (
        <p className="mt-3 text-sm">
          <AppLink to={routes.cards} className="text-link inline-block py-1">
            {card ? manageText(hasField && !card.label) : 'Add a payment method'}
          </AppLink>
        </p>
      )}
    </SheetPart>
  );
}

const manageText = (onlyCards: boolean) =>
  onlyCards ? 'Manage card(s)' : 'Manage payment methods';

function textOf(saved: boolean, hasField: boolean, onPage: boolean): string {
  if (!saved) return 'You pay each invoice when you receive it.';
  if (hasField) return 'No card is saved yet.';
  return onPage
    ? 'No payment method is saved yet.'
    : 'Your payment method is saved when you pay on our payment provider’s page.';
}
