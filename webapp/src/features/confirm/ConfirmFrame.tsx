import { useEffect, useRef } from 'react';
import { Calendar } from '@/components/illustrations/ChairDrawings';
import { Spinner } from '@/components/Loading';
import { PurchasePage } from '@/components/PurchasePage';
import type { Elements } from '@/lib/elements';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { usePayerText } from '@/modules/session/roles';

/** The layout of the confirmation screen. */
export const ConfirmFrame = ({ aside, children }: { aside?: Elements; children: Elements }) => (
  <PurchasePage
    title="Confirm your plan"
    backLink={
      <AppLink entersArea to={routes.plans} className="text-link mb-1 inline-block py-1 text-sm">
        ← Back to the plans
      </AppLink>
    }
    intro={usePayerText()}
    picture={<Calendar closeUp className="w-full" />}
    aside={aside}
  >
    {children}
  </PurchasePage>
);

/** The view while the change is submitted. Takes the focus, because it replaces the focused button. */
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
