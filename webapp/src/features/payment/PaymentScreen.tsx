import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { HoldText } from '@/modules/billing/HoldText';
import { offerOf } from '@/modules/billing/offer';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { useEarlierOrder } from '@/modules/billing/use-earlier-order';
import { useConfig } from '@/modules/config/config-store';
import { OwedBill } from '@/modules/payments/OwedBill';
import { openOfKind } from '@/modules/payments/open-payment-text';
import { PaymentOnItsWay } from '@/modules/payments/PaymentOnItsWay';
import { Redirect } from '@/modules/session/AppLink';
import { usePurchasesEnabled } from '@/modules/session/navigation';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { Checkout, PaymentFrame } from './Checkout';

/** The payment of a new subscription. */
export default function PaymentScreen() {
  return <SignedInScreen frame={PaymentFrame}>{({ user }) => <Gate user={user} />}</SignedInScreen>;
}

/**
 * Redirects to the plans page if the user has a license already, has no customer yet, or the price is
 * not for sale.
 */
function Gate({ user }: { user: User }) {
  const config = useConfig();
  const enabled = usePurchasesEnabled();
  const [query] = useSearchParams();
  const param = (name: string) => query.get(name) ?? '';
  const offer = offerOf(config, {
    product: param('product'),
    interval: param('interval'),
    currency: param('currency'),
  });
  const customerId = user.org.stripeCustomerId;
  // A failed payment may have created a license, such as a trial whose card is not authenticated.
  const [licensed] = useState(user.license !== null);
  // A payment that is made here is reported by the checkout.
  const [processing] = useState(user.processing);
  const order = useEarlierOrder(user);
  if (!enabled || !customerId || licensed || !offer?.price) {
    return <Redirect to={routes.plans} />;
  }
  if (user.hold) {
    return (
      <PaymentFrame>
        <Notice tone="attention" live={false}>
          <p>
            <HoldText contact={config.contact.email} />
          </p>
        </Notice>
      </PaymentFrame>
    );
  }
  if (processing) {
    return (
      <PaymentFrame>
        <PaymentOnItsWay processing={processing} />
      </PaymentFrame>
    );
  }
  const owed = openOfKind(user.openPayment, 'owed');
  if (owed) {
    return (
      <PaymentFrame>
        <OwedBill open={owed} />
      </PaymentFrame>
    );
  }
  if (order) {
    return (
      <PaymentFrame>
        <PendingOrder order={order} />
      </PaymentFrame>
    );
  }
  return <Checkout offer={{ ...offer, price: offer.price }} customerId={customerId} user={user} />;
}
