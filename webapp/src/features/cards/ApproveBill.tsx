import { useEffect, useRef } from 'react';
import type { BillPayment } from '@/api';
import { CardElements, useCardProvider } from '@/components/CardElements';
import type { ProviderConfig } from '@/lib/card-provider/load';
import { confirmPayment } from '@/lib/payment/confirm-card';
import type { PaymentEnd } from '@/lib/payment/payment-types';

interface ApproveBillProps {
  provider: ProviderConfig;
  bill: BillPayment;
  onEnd: (end: PaymentEnd) => void;
}

/** Asks the cardholder's bank to approve the payment of a bill: the provider shows its dialog. */
export function ApproveBill({ provider, ...confirmation }: ApproveBillProps) {
  return (
    <CardElements provider={provider} placeholder={null}>
      <Confirmation {...confirmation} />
    </CardElements>
  );
}

function Confirmation({ bill, onEnd }: Omit<ApproveBillProps, 'provider'>) {
  const cards = useCardProvider();
  const started = useRef(false);
  useEffect(() => {
    if (!cards || started.current) return;
    started.current = true;
    void confirmPayment(cards, bill.payment_intent).then(onEnd);
  }, [cards, bill, onEnd]);
  return null;
}
