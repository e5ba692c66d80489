import type { ReactNode } from 'react';
import { PageTitle } from '@/ui/PageTitle';

/** What surrounds the confirmation in all its states. */
export function ConfirmFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-5xl pt-10 sm:pt-14">
      <PageTitle>Confirm your plan</PageTitle>
      <div className="mt-6">{children}</div>
    </div>
  );
}
