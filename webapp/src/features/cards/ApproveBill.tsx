import { useEffect, useRef } from 'react';
import type { BillPayment } from '@/api';
import type { ProviderConfig } from '@/modules/payments/card-provider/load';
import { confirmPayment } from '@/modules/payments/confirm-card';
import type { ConfirmationResult } from '@/modules/payments/payment-types';
import { useCardProvider, WithCardProvider } from '@/modules/payments/WithCardProvider';

interface ApproveBillProps {
  provider: ProviderConfig;
  bill: BillPayment;
  onResult: (result: ConfirmationResult) => void;
}

/** Asks the cardholder's bank to approve the payment of a bill: the provider shows its dialog. */
export function ApproveBill({ provider, ...confirmation }: ApproveBillProps) {
  return (
    <WithCardProvider provider={provider} placeholder={null}>
      <Confirmation {...confirmation} />
    </WithCardProvider>
  );
}

function Confirmation({ bill, onResult }: Omit<ApproveBillProps, 'provider'>) {
  const cards = useCardProvider();
  const started = useRef(false);
  useEffect(() => {
    if (!cards || started.current) return;
    started.current = true;
    const secret = bill.payment_intent?.client_secret ?? '';
    void confirmPayment(cards, { secret, needsMethod: false }).then(onResult);
  }, [cards, bill, onResult]);
  return null;
}
