import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import type { Config } from '@/api';
import { SignedIn } from '@/components/SignedIn';
import { WithConfig } from '@/components/WithConfig';
import { offerOf } from '@/lib/offer';
import { paths } from '@/lib/paths';
import type { User } from '@/lib/session-store';
import { useGate, useOpen } from '@/lib/use-gate';
import { Checkout, PaymentFrame } from './Checkout';

/** Paying for a new subscription. */
export default function PaymentScreen() {
  return (
    <SignedIn loading={null}>
      {({ user }) => (
        <WithConfig frame={PaymentFrame}>
          {(config) => <Gate user={user} config={config} />}
        </WithConfig>
      )}
    </SignedIn>
  );
}

/**
 * Nobody pays who has a license already, is no customer yet, or asks for what is not sold: the
 * plans page knows the way on for all of them.
 */
function Gate({ user, config }: { user: User; config: Config }) {
  const gate = useGate();
  const open = useOpen();
  const [query] = useSearchParams();
  const asked = (name: string) => query.get(name) ?? '';
  const offer = offerOf(config, {
    product: asked('product'),
    interval: asked('interval'),
    currency: asked('currency'),
  });
  const customerId = user.org.stripeCustomerId;
  // A payment that fails may leave a license all the same, such as a trial whose card is not approved.
  const [licensed] = useState(user.license !== null);
  if (!open || !customerId || licensed || !offer?.price) {
    return <Navigate to={paths.plans(gate)} replace />;
  }
  return (
    <Checkout
      offer={{ ...offer, price: offer.price }}
      customerId={customerId}
      user={user}
      config={config}
    />
  );
}
