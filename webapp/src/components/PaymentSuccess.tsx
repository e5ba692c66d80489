import { Link } from 'react-router-dom';
import type { ChargedDiffers, Config } from '@/api';
import { paths } from '@/lib/paths';
import { chargedText } from '@/lib/quote-text';
import { useGate } from '@/lib/use-gate';
import { buttonClass } from './Button';
import { DoneIcon } from './icons';
import { Notice } from './Notice';
import { PageTitle } from './PageTitle';

interface PaymentSuccessProps {
  /** When another amount than quoted was charged: the customer stays signed in to read it. */
  differs?: ChargedDiffers;
  config: Config;
}

/** The success message, shown until the customer is signed out. */
export function PaymentSuccess({ differs, config }: PaymentSuccessProps) {
  return (
    <div className="page max-w-xl py-16 text-center">
      <div role="status">
        <DoneIcon size={56} className="mx-auto text-success" />
        <PageTitle focused className="mt-4">
          Subscription update, success!
        </PageTitle>
        {differs ? (
          <Notice tone="attention" live={false} className="mt-6 text-left">
            <p>{chargedText(differs, config)}</p>
          </Notice>
        ) : (
          <p className="mt-3 text-lg text-muted">Logging you out... please wait and login again!</p>
        )}
      </div>
      {differs && <Ways />}
    </div>
  );
}

function Ways() {
  const gate = useGate();
  return (
    <p className="mt-8 flex flex-wrap justify-center gap-3">
      <Link to={paths.invoices(gate)} className={buttonClass()}>
        See the invoice
      </Link>
      <Link to={paths.dash(gate)} className={buttonClass('secondary')}>
        Go to your dashboard
      </Link>
    </p>
  );
}
