import { useId } from 'react';
import type { OpenPayment } from '@/api';
import { AppLink } from '@/components/AppLink';
import { useConfig } from '@/lib/config-store';
import { amountText } from '@/lib/offer';
import { routes } from '@/lib/paths';
import { buttonClass } from './Button';
import { Receipt } from './illustrations/Seats';
import { IllustratedSheet } from './Sheet';

interface FirstPaymentProps {
  /** Null when nothing can be paid now, for example while the payment is processing. */
  open: OpenPayment | null;
}

/** The section of a plan whose first payment is open, with a link to the pay screen. */
export function FirstPayment({ open }: FirstPaymentProps) {
  const config = useConfig();
  const titleId = useId();
  return (
    <IllustratedSheet
      aria-labelledby={titleId}
      className="figures"
      picture={<Receipt className="w-52" />}
    >
      <h2 id={titleId} className="text-xl">
        Your first payment is not made yet
      </h2>
      <p className="mt-3 text-muted">Your plan starts when it goes through.</p>
      {open && (
        <AppLink intoArea to={routes.pay} className={`${buttonClass()} mt-5`}>
          {`Pay ${amountText(config, open)}`}
        </AppLink>
      )}
    </IllustratedSheet>
  );
}
