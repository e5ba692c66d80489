import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router-dom';
import type { Config } from '@/api';
import { paths } from '@/app/paths';
import { useGate, useOpen } from '@/app/use-gate';
import { WithConfig } from '@/app/WithConfig';
import { SignedIn } from '@/features/session/SignedIn';
import type { User } from '@/features/session/session-store';
import { Checkout } from './Checkout';
import { offerOf } from './offer';
import { PaymentFrame } from './PaymentFrame';

/** Paying for a new subscription. */
export function PaymentScreen() {
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
      trialUsed={user.pastLicense !== null}
      clockOffset={user.clockOffset}
      config={config}
    />
  );
}
