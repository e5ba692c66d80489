import { useState } from 'react';
import type { Config } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { VideoCall } from '@/components/illustrations/VideoCall';
import { IllustratedPanel } from '@/components/Panel';
import { paths, routes } from '@/lib/paths';
import { hasCardField, paysInvoices } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { useGo } from '@/modules/session/navigation';
import { type User, useSessionStore } from '@/modules/session/session-store';
import { perInterval, priceText } from './amount-text';
import type { PricedOffer } from './offer';

interface ChosenPlanCardProps {
  offer: PricedOffer;
  user: User;
}

/** The plan that was chosen at registration, with a link to the payment screen. */
export function ChosenPlanCard({ offer, user }: ChosenPlanCardProps) {
  const { plan, priceRef, price } = offer;
  const config = useConfig();
  const paymentPathOf = (customer: string) => paths.payment({ customer, ...priceRef });
  return (
    <IllustratedPanel aria-labelledby="chosen" picture={<VideoCall className="w-64" />}>
      <h2 id="chosen" className="text-xl">
        {`One step left: your ${plan.displayName} plan`}
      </h2>
      <p className="figures mt-3">
        <strong className="text-lg">{priceText(config, price)}</strong>{' '}
        <span className="text-muted">{perInterval(priceRef.interval)}</span>
      </p>
      <p className="mt-1 text-muted">{startText(plan.trialPeriodDays, config)}</p>
      <p className="mt-5 flex flex-wrap gap-3">
        <PaymentLink customerId={user.org.stripeCustomerId} paymentPathOf={paymentPathOf} />
        <AppLink entersArea to={routes.plans} className={buttonClass('secondary')}>
          Choose another plan
        </AppLink>
      </p>
    </IllustratedPanel>
  );
}

/** Returns the text that says how to start the subscription and when the customer pays. */
function startText(trialDays: number, config: Config): string {
  if (trialDays === 0) {
    return `${hasCardField(config) ? 'Add a card' : 'Pay'} to start your subscription.`;
  }
  if (!hasCardField(config)) {
    return paysInvoices(config)
      ? `Subscribe to start your ${trialDays} free days. You pay by invoice for the time after them.`
      : `Subscribe to start your ${trialDays} free days. Nothing is charged before they end.`;
  }
  return `Add a card to start your ${trialDays} free days. Nothing is charged before they end.`;
}

interface PaymentLinkProps {
  customerId?: string;
  /** Returns the path of the payment screen. */
  paymentPathOf: (customerId: string) => string;
}

/** A link to the payment screen. Without a customer it is a button that creates the customer first. */
function PaymentLink({ customerId, paymentPathOf }: PaymentLinkProps) {
  const go = useGo({ entersArea: true });
  const [busy, setBusy] = useState(false);

  async function createCustomerAndOpenPayment() {
    setBusy(true);
    const newCustomerId = await useSessionStore.getState().createCustomer();
    setBusy(false);
    if (newCustomerId) go(paymentPathOf(newCustomerId));
  }

  if (!customerId) {
    return (
      <Button busy={busy} onClick={createCustomerAndOpenPayment}>
        Go on to payment
      </Button>
    );
  }
  return (
    <AppLink entersArea to={paymentPathOf(customerId)} className={buttonClass()}>
      Go on to payment
    </AppLink>
  );
}
