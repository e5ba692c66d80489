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
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { PaymentOnItsWay } from '@/modules/payments/PaymentOnItsWay';
import { Redirect } from '@/modules/session/AppLink';
import { usePurchasesEnabled } from '@/modules/session/navigation';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { Checkout, PaymentFrame } from './Checkout';

/** The screen that pays a new subscription. */
export default function PaymentScreen() {
  return (
    <SignedInScreen frame={PaymentFrame}>
      {({ user }) => <PaymentGate user={user} />}
    </SignedInScreen>
  );
}

/**
 * Redirects to the plans if the user has a license already, has no customer yet, or the price is not for sale. Shows
 * the checkout unless something prevents a purchase.
 */
function PaymentGate({ user }: { user: User }) {
  const config = useConfig();
  const isEnabled = usePurchasesEnabled();
  const [query] = useSearchParams();
  const param = (name: string) => query.get(name) ?? '';
  const offer = offerOf(config, {
    product: param('product'),
    interval: param('interval'),
    currency: param('currency'),
  });
  const customerId = user.org.stripeCustomerId;
  // From before the payment: a failed one may create a license, such as a trial whose card is not authenticated.
  const [isLicensed] = useState(user.license !== null);
  // From before the payment too: the checkout reports the payment that it makes itself.
  const [processing] = useState(user.processing);
  const order = useEarlierOrder(user);
  if (!isEnabled || !customerId || isLicensed || !offer?.price) {
    return <Redirect to={routes.plans} />;
  }
  const owed = openPaymentOfKind(user.openPayment, 'owed');
  const obstacle =
    (user.hold && <HoldNotice contact={config.contact.email} />) ||
    (processing && <PaymentOnItsWay processing={processing} />) ||
    (owed && <OwedBill payment={owed} />) ||
    (order && <PendingOrder order={order} />);
  if (obstacle) return <PaymentFrame>{obstacle}</PaymentFrame>;
  return <Checkout offer={{ ...offer, price: offer.price }} customerId={customerId} user={user} />;
}

const HoldNotice = ({ contact }: { contact: string }) => (
  <Notice tone="attention" live={false}>
    <p>
      <HoldText contact={contact} />
    </p>
  </Notice>
);
