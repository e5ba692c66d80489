import { AppLink } from '@/components/AppLink';
import { routes } from '@/lib/paths';
import type { OpenPaymentNotice } from '@/lib/payment/open-payment-text';
import { buttonClass } from './Button';
import { AttentionIcon, DoneIcon } from './icons';
import { PageTitle } from './PageTitle';

/** A notice that nothing is left to pay, or that nothing was paid, with links to the next steps. */
export function OpenPaymentDone({
  title,
  text,
  subscribeAgain,
  unpaid,
  invoicePaid,
}: OpenPaymentNotice) {
  return (
    <div className="page max-w-xl py-16 text-center">
      <div role="status">
        {unpaid ? (
          <AttentionIcon size={56} className="mx-auto text-attention" />
        ) : (
          <DoneIcon size={56} className="mx-auto text-success" />
        )}
        <PageTitle focused className="mt-4">
          {title}
        </PageTitle>
        <p className="mt-3 text-lg text-muted">{text}</p>
      </div>
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        <AppLink
          intoArea={subscribeAgain}
          to={subscribeAgain ? routes.plans : routes.dash}
          className={buttonClass()}
        >
          {subscribeAgain ? 'Subscribe again' : 'Go to your dashboard'}
        </AppLink>
        {invoicePaid && (
          <AppLink to={routes.invoices} className={buttonClass('secondary')}>
            See the invoice
          </AppLink>
        )}
      </p>
    </div>
  );
}
