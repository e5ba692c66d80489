import type { ReactNode } from 'react';
import { PageTitle } from '@/ui/PageTitle';

/** What surrounds a payment until it is made. */
export function PaymentFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-5xl pt-10 sm:pt-14">
      <PageTitle>Payment</PageTitle>
      {children}
    </div>
  );
}
