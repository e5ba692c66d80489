import { type ReactNode, useEffect, useRef } from 'react';
import { Spinner } from '@/components/Loading';
import { PageTitle } from '@/components/PageTitle';

/** The layout of the confirmation screen. */
export function ConfirmFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-5xl pt-10 sm:pt-14">
      <PageTitle>Confirm your plan</PageTitle>
      <div className="mt-6">{children}</div>
    </div>
  );
}

/** Shown while the change is submitted; keeps the focus. */
export function BusyView() {
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => view.current?.focus(), []);
  return (
    <div ref={view} tabIndex={-1} role="status" className="py-16 text-center">
      <Spinner className="mx-auto size-8 text-brand" />
      <p className="mt-4 text-xl font-semibold">Please wait...</p>
      <p className="mt-1 text-muted">Updating your subscription</p>
    </div>
  );
}
