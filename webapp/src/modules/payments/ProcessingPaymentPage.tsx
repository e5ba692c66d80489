import { buttonClass } from '@/components/Button';
import { ResultPage } from '@/components/ResultPage';
import { routes } from '@/lib/paths';
import { orderTermsText } from '@/modules/billing/order-text';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { useSession } from '@/modules/session/session-store';
import { arrivalText, processingText } from './processing-text';
import { QuoteDifferenceNotice } from './QuoteDifferenceNotice';

interface ProcessingPaymentPageProps {
  /** Why the order waits, as the provider states it; absent for a payment. */
  reason?: string;
  /** A text about the next steps, after the reason. */
  nextStepsText?: string;
  /** How the invoice differs from its quote. */
  difference?: string;
}

/** The page after a payment that is processing, or after an order that waits for approval. */
export function ProcessingPaymentPage({
  reason,
  nextStepsText,
  difference,
}: ProcessingPaymentPageProps) {
  const config = useConfig();
  const session = useSession();
  const user = session.status === 'signedIn' ? session.user : null;
  const processing = user?.processing;
  return (
    <ResultPage
      tone="waiting"
      title={reason ? 'Your order has been received' : 'Your payment is on its way'}
      actions={
        <AppLink to={routes.dash} className={buttonClass()}>
          Go to your dashboard
        </AppLink>
      }
    >
      <p className="mt-3 text-lg text-muted">
        {reason ||
          (processing
            ? `${processingText(processing, config)} ${arrivalText(processing, config)} There is nothing more to do: please don't pay a second time.`
            : "Your bank has not confirmed it yet. There is nothing more to do: look at your dashboard in a few minutes, and please don't pay a second time.")}
      </p>
      {reason && user?.order && (
        <p className="mt-3 text-muted empty:hidden">{orderTermsText(user.order, config)}</p>
      )}
      {nextStepsText && <p className="mt-3 text-muted">{nextStepsText}</p>}
      {difference && <QuoteDifferenceNotice>{difference}</QuoteDifferenceNotice>}
    </ResultPage>
  );
}
