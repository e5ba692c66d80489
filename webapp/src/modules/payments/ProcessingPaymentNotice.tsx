import type { ProcessingPayment } from '@/api';
import { Notice } from '@/components/Notice';
import { useConfig } from '@/modules/config/config-store';
import { arrivalText, processingText } from './processing-text';

interface ProcessingPaymentNoticeProps {
  processing: ProcessingPayment;
  className?: string;
}

/** Reports the amount and method of a processing payment, and when it is expected. */
export function ProcessingPaymentNotice({ processing, className }: ProcessingPaymentNoticeProps) {
  const config = useConfig();
  return (
    <Notice live={false} className={className} title="Your payment is on its way">
      <p className="figures">{processingText(processing, config)}</p>
      <p>{`${arrivalText(processing, config)} Please don't pay a second time.`}</p>
    </Notice>
  );
}
