import { useRef } from 'react';
import { type Config, getUserDetail, subscribe } from '@/api';
import { useGate } from '@/app/use-gate';
import { CardElements, type CardProvider } from '@/card-provider';
import { priceIdOf } from '@/rules/prices';
import { Skeleton } from '@/ui/Skeleton';
import { ChargeSummary } from './ChargeSummary';
import { chargeOf, chargeText } from './due';
import { isLicensedFor } from './is-licensed';
import type { Offer, Price } from './offer';
import { PaymentForm } from './PaymentForm';
import { PaymentFrame } from './PaymentFrame';
import { PaymentProcessing } from './PaymentProcessing';
import { PaymentSuccess } from './PaymentSuccess';
import { usePayment } from './use-payment';

interface CheckoutProps {
  offer: Offer & { price: Price };
  customerId: string;
  /** Whether the organisation has had its trial: then it pays at once. */
  trialUsed: boolean;
  /** See User.clockOffset. */
  clockOffset: number;
  config: Config;
}

/** The card on one side, what it will be charged on the other. */
export function Checkout({ offer, customerId, trialUsed, clockOffset, config }: CheckoutProps) {
  const { debug } = useGate();
  const { state, start } = usePayment();
  const now = useRef(new Date(Date.now() + clockOffset)).current;
  const charge = chargeOf(offer, offer.price, { trialUsed, now });
  const { ref } = offer;

  const request = {
    customerId,
    priceId: priceIdOf(ref),
    interval: ref.interval,
    currency: ref.currency,
    // What is shown is what is charged: where no trial is shown, none is asked for.
    ...(trialUsed && { no_trial: true }),
  };
  const payment = {
    card: 'field',
    call: (paymentMethodId?: string) => subscribe({ ...request, paymentMethodId }, debug),
    isDone: async () => isLicensedFor(ref, await getUserDetail()),
    genericFailure: 'Interval Server Error',
  } as const;
  const onPay = (cards: CardProvider) => void start(payment, cards);

  if (state.kind === 'succeeded') return <PaymentSuccess />;
  if (state.kind === 'processing') return <PaymentProcessing />;
  return (
    <PaymentFrame>
      <div className="mt-8 grid items-start gap-6 lg:grid-cols-[minmax(0,8fr)_minmax(0,5fr)]">
        <div className="lg:order-last">
          <ChargeSummary offer={offer} charge={charge} contact={config.contact.email} />
        </div>
        <CardElements provider={config.provider} placeholder={<Skeleton className="h-80" />}>
          <PaymentForm state={state} when={chargeText(charge)} onPay={onPay} />
        </CardElements>
      </div>
    </PaymentFrame>
  );
}
