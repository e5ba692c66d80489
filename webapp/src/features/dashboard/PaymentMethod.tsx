import type { Card, Config } from '@/api';
import { PanelSection } from '@/components/Panel';
import { routes } from '@/lib/paths';
import { can, hasCardField } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { SavedCard } from '@/modules/payments/SavedCard';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';

interface PaymentMethodProps {
  /** The default payment method. */
  card: Card | null;
  /** Why the provider has refused the method that the customer of a trial wanted to save. */
  refusal: string | undefined;
}

/** Shows the default payment method, or how the organisation pays without one, and links to the cards screen. */
export function PaymentMethod({ card, refusal }: PaymentMethodProps) {
  const config = useConfig();
  const savesMethods = can(config, 'saved_methods');
  const hasField = hasCardField(config);
  const hasMethodPage = can(config, 'method_page');
  return (
    <PanelSection aria-labelledby="method">
      <h2 id="method" className="mb-3 text-lg">
        Payment method
      </h2>
      {card && <SavedCard card={card} isDefault />}
      {!card && refusal && <p className="mb-2">{refusal}</p>}
      {!card && <p className="text-muted">{noMethodText(config)}</p>}
      {savesMethods && (card || hasField || hasMethodPage) && (
        <BillingRolesOnly>
          <p className="mt-3 text-sm">
            <AppLink to={routes.cards} className="text-link inline-block py-1">
              {card ? manageLinkText(hasField && !card.label) : 'Add a payment method'}
            </AppLink>
          </p>
        </BillingRolesOnly>
      )}
    </PanelSection>
  );
}

const manageLinkText = (savesOnlyCards: boolean) =>
  savesOnlyCards ? 'Manage card(s)' : 'Manage payment methods';

function noMethodText(config: Config): string {
  if (!can(config, 'saved_methods')) return 'You pay each invoice when you receive it.';
  if (hasCardField(config)) return 'No card is saved yet.';
  return can(config, 'method_page')
    ? 'No payment method is saved yet.'
    : 'Your payment method is saved when you pay on our payment provider’s page.';
}
