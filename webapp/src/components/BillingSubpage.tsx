import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';
import { PageTitle } from './PageTitle';

interface BillingSubpageProps {
  title: string;
  /** Uses the width for a table. */
  wide?: boolean;
  children: ReactNode;
}

/** The layout of a screen that belongs to the billing page, with a link back to it. */
export function BillingSubpage({ title, wide, children }: BillingSubpageProps) {
  const debugParam = useDebugParam();
  return (
    <div className={`page ${wide ? 'max-w-5xl' : 'max-w-2xl'} pt-10 pb-16 sm:pt-14`}>
      <p className="mb-4">
        <Link to={paths.billing(debugParam)} className="text-link">
          ← Billing
        </Link>
      </p>
      <PageTitle>{title}</PageTitle>
      {children}
    </div>
  );
}
