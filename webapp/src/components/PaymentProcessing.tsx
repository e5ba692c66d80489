import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { buttonClass } from './Button';
import { AttentionIcon } from './icons';
import { PageTitle } from './PageTitle';

/** Shown while the provider is still processing the payment. */
export function PaymentProcessing() {
  return (
    <div className="page max-w-xl py-16 text-center">
      <div role="status">
        <AttentionIcon size={56} className="mx-auto text-attention" />
        <PageTitle focused className="mt-4">
          Your payment is on its way
        </PageTitle>
        <p className="mt-3 text-lg text-muted">
          Your bank has not confirmed it yet. There is nothing more to do: look at your dashboard in
          a few minutes, and please don't pay a second time.
        </p>
      </div>
      <Link to={paths.dash()} className={`${buttonClass()} mt-8`}>
        Go to your dashboard
      </Link>
    </div>
  );
}
