import { ArrowDown, ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { License } from '@/api';
import { cx } from '@/lib/cx';
import { statusText } from '@/lib/license';
import { perInterval, priceText } from '@/lib/offer';
import { displayName, licensedPlan, ownPriceText } from '@/lib/plan-text';
import type { PriceRef } from '@/rules/types';
import type { ChangeToConfirm } from './use-confirmation';

interface PlanChangePanelsProps extends ChangeToConfirm {
  /** The current plan; null when the last subscription has ended. */
  current: PriceRef | null;
  /** The current license; null when the last one has ended. */
  license: License | null;
}

/** The current plan and the new plan side by side. */
export function PlanChangePanels(props: PlanChangePanelsProps) {
  const { config, current, to, license, user } = props;
  const { pastLicense } = user;
  return (
    <div className="@container">
      <div className="grid grid-cols-1 items-stretch gap-3 @md:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <Panel label="CURRENT PLAN" status={(license ?? pastLicense)?.raw.status}>
          {current ? (
            <>
              <Name>{displayName(current.product, config)}</Name>
              <Price interval={current.interval}>{license && ownPriceText(license, config)}</Price>
            </>
          ) : (
            <Ended name={pastLicense && licensedPlan(pastLicense, config)} />
          )}
        </Panel>
        <div className="self-center justify-self-center text-muted">
          <ArrowRight aria-hidden className="hidden @md:block" />
          <ArrowDown aria-hidden className="@md:hidden" />
        </div>
        <Panel label="CHANGING TO" target>
          <Name>{to.plan.displayName}</Name>
          <Price interval={to.ref.interval}>{priceText(to.price)}</Price>
        </Panel>
      </div>
    </div>
  );
}

interface PanelProps {
  label: string;
  status?: string;
  /** Whether this is the new plan. */
  target?: boolean;
  children: ReactNode;
}

const Panel = ({ label, status, target, children }: PanelProps) => (
  <section
    className={cx(
      'figures rounded-card border bg-surface p-6',
      target ? 'border-brand' : 'border-line',
    )}
  >
    <h2 className={cx('text-sm font-semibold', target ? 'text-brand' : 'text-muted')}>
      {label}
      {status && (
        <>
          {' '}
          <span>{`(${statusText(status)})`}</span>
        </>
      )}
    </h2>
    {children}
  </section>
);

const Name = ({ children }: { children: ReactNode }) => (
  <p className="mt-2 text-xl font-bold">{children}</p>
);

const Price = ({ interval, children }: { interval: string; children: string | null }) => (
  <>
    {children && <p className="mt-2">{`${children} ${perInterval(interval)}`}</p>}
    <p className="text-sm text-muted">{`Billed ${interval}`}</p>
  </>
);

const Ended = ({ name }: { name: string | null }) => (
  <>
    <Name>None</Name>
    <p className="mt-2 text-muted">{name ? `Your ${name} plan has ended.` : 'It has ended.'}</p>
  </>
);
