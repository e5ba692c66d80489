import type { ReactNode } from 'react';
import { PageTitle } from '@/ui/PageTitle';

/** What surrounds the confirmation in all its states. */
export function ConfirmFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-5xl py-10 sm:py-14">
      <PageTitle>Confirm your plan</PageTitle>
      <div className="mt-6">{children}</div>
    </div>
  );
}
