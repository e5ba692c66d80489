import { useEffect, useRef } from 'react';
import { Spinner } from '@/ui/Spinner';

/** Stands in for the confirmation while it is being made. The focus waits here. */
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
