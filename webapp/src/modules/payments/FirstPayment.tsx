import { useId } from 'react';
import type { OpenPayment } from '@/api';
import { buttonClass } from '@/components/Button';
import { Receipt } from '@/components/illustrations/ChairDrawings';
import { IllustratedPanel } from '@/components/Panel';
import { routes } from '@/lib/paths';
import { amountText } from '@/modules/billing/amount-text';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { BillingRolesOnly } from '@/modules/session/BillingRolesOnly';

interface FirstPaymentProps {
  /** Null when nothing can be paid now, for example while the payment is processing. */
  payment: OpenPayment | null;
}

/** The section of a plan before its first payment, with a link to the pay screen if the payment can be made now. */
export function FirstPayment({ payment }: FirstPaymentProps) {
  const config = useConfig();
  const titleId = useId();
  return (
    <IllustratedPanel
      aria-labelledby={titleId}
      className="figures"
      picture={<Receipt className="w-52" />}
    >
      <h2 id={titleId} className="text-xl">
        Your first payment has not been made yet
      </h2>
      <p className="mt-3 text-muted">Your plan starts when the payment goes through.</p>
      {payment && (
        <div className="mt-5">
          <BillingRolesOnly action="pay it">
            <AppLink entersArea to={routes.pay} className={buttonClass()}>
              {`Pay ${amountText(config, payment)}`}
            </AppLink>
          </BillingRolesOnly>
        </div>
      )}
    </IllustratedPanel>
  );
}
