import { Link } from 'react-router-dom';
import type { OpenPayment } from '@/api';
import { useConfig } from '@/lib/config-store';
import { amountText } from '@/lib/offer';
import { paths } from '@/lib/paths';
import { useLinkDebugParam } from '@/lib/use-debug-param';
import { buttonClass } from './Button';

interface OwedBillProps {
  open: OpenPayment;
}

/** Replaces the ways to subscribe while the last bill of a former plan is not paid. */
export function OwedBill({ open }: OwedBillProps) {
  const config = useConfig();
  const debugParam = useLinkDebugParam();
  const amount = amountText(config, open);
  const unpaid = open.amountPaid ? `${amount} of your last bill` : `Your last bill of ${amount}`;
  return (
    <div className="figures mt-3">
      <p>{`${unpaid} is not paid. You can pay it at any time, and then subscribe again.`}</p>
      <Link to={paths.pay(debugParam)} className={`${buttonClass()} mt-5`}>
        {`Pay ${amount}`}
      </Link>
    </div>
  );
}
