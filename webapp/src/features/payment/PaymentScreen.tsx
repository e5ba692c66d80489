import { useState } from 'react';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { useQueryParams } from '@/lib/use-query-params';
import { HoldText } from '@/modules/billing/HoldText';
import { offerOf } from '@/modules/billing/offer';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { useEarlierOrder } from '@/modules/billing/use-earlier-order';
import { useConfig } from '@/modules/config/config-store';
import { OwedInvoiceNotice } from '@/modules/payments/OwedInvoiceNotice';
import { openPaymentOfKind } from '@/modules/payments/open-payment-text';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { Redirect } from '@/modules/session/AppLink';
import { usePurchasesEnabled } from '@/modules/session/navigation';
import { canManageBilling } from '@/modules/session/roles';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { Checkout, PaymentFrame } from './Checkout';

/** The screen on which a customer subscribes to a plan. */
export default function PaymentScreen() {
  return (
    <SignedInScreen frame={PaymentFrame}>
      {({ user }) => <PaymentGate user={user} />}
    </SignedInScreen>
  );
}

/**
 * Shows the checkout, or what prevents a purchase. Redirects to the plans if the user may not pay or has a license, the
 * organisation has no customer, or the price is not for sale.
 */
function PaymentGate({ user }: { user: User }) {
  const config = useConfig();
  const isEnabled = usePurchasesEnabled();
  const query = useQueryParams();
  const param = (name: string) => query.get(name) ?? '';
  const offer = offerOf(config, {
    product: param('product'),
    interval: param('interval'),
    currency: param('currency'),
  });
  const customerId = user.org.stripeCustomerId;
  // Read once, so that the checkout and its result stay on the screen after the payment.
  const [mayPay] = useState(canManageBilling(user));
  const [isLicensed] = useState(user.license !== null);
  const [processing] = useState(user.processing);
  const order = useEarlierOrder(user);
  if (!isEnabled || !mayPay || !customerId || isLicensed || !offer?.price) {
    return <Redirect to={routes.plans} />;
  }
  const owedPayment = openPaymentOfKind(user.openPayment, 'owed');
  const obstacle =
    (user.hold && <HoldNotice contact={config.contact.email} />) ||
    (processing && <ProcessingPaymentNotice processing={processing} />) ||
    (owedPayment && <OwedInvoiceNotice payment={owedPayment} />) ||
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
