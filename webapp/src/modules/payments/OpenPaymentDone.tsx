import { buttonClass } from '@/components/Button';
import { AttentionIcon, DoneIcon } from '@/components/icons';
import { PageTitle } from '@/components/PageTitle';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import type { OpenPaymentNotice } from './open-payment-text';

/** A notice that nothing is left to pay, or that nothing was paid, with links to the next steps. */
export function OpenPaymentDone({
  title,
  text,
  subscribeAgain,
  unpaid,
  invoicePaid,
  addMethod,
}: OpenPaymentNotice) {
  return (
    <div className="page max-w-xl py-16 text-center">
      <div role="status">
        {unpaid || addMethod ? (
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
        {addMethod && (
          <AppLink to={routes.cards} className={buttonClass()}>
            Add a payment method
          </AppLink>
        )}
        <AppLink
          intoArea={subscribeAgain}
          to={subscribeAgain ? routes.plans : routes.dash}
          className={buttonClass(addMethod ? 'secondary' : 'primary')}
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
