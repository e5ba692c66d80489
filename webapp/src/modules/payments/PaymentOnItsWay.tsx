import type { ProcessingPayment } from '@/api';
import { Notice } from '@/components/Notice';
import { useConfig } from '@/modules/config/config-store';
import { arrivalText, processingText } from './processing-text';

interface PaymentOnItsWayProps {
  processing: ProcessingPayment;
  className?: string;
}

/** Reports a payment that takes days: its amount, its method and when it is expected. There is nothing to do. */
export function PaymentOnItsWay({ processing, className }: PaymentOnItsWayProps) {
  const config = useConfig();
  return (
    <Notice live={false} className={className} title="Your payment is on its way">
      <p className="figures">{processingText(processing, config)}</p>
      <p>{`${arrivalText(processing, config)} Please don't pay a second time.`}</p>
    </Notice>
  );
}
