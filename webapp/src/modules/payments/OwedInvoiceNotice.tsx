import type { OpenPayment } from '@/api';
import { buttonClass } from '@/components/Button';
import { routes } from '@/lib/paths';
import { amountText } from '@/modules/billing/amount-text';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';

interface OwedInvoiceNoticeProps {
  payment: OpenPayment;
}

/** Replaces the ways to subscribe while the last invoice of a former plan is not paid. */
export function OwedInvoiceNotice({ payment }: OwedInvoiceNoticeProps) {
  const config = useConfig();
  const amount = amountText(config, payment);
  const subject = payment.amountPaid
    ? `${amount} of your last invoice`
    : `Your last invoice of ${amount}`;
  return (
    <div className="figures mt-3">
      <p>{`${subject} is not paid. You can pay it at any time, and then subscribe again.`}</p>
      <div className="mt-5">
        <BillingRolesOnly action="pay it">
          <AppLink entersArea to={routes.pay} className={buttonClass()}>
            {`Pay ${amount}`}
          </AppLink>
        </BillingRolesOnly>
      </div>
    </div>
  );
}
