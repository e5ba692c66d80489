import type { ReactNode } from 'react';
import type { License } from '@/api';
import { cx } from '@/lib/cx';
import type { Elements } from '@/lib/elements';
import { perInterval, priceText } from '@/modules/billing/amount-text';
import { endedTitle } from '@/modules/billing/ended-text';
import {
  dateText,
  licensePriceText,
  planDisplayName,
  statusText,
} from '@/modules/billing/plan-text';
import { useConfig } from '@/modules/config/config-store';
import type { PriceRef } from '@/rules/types';
import type { ChangeToConfirm } from './confirmation-query';

interface PlanChangePanelsProps extends ChangeToConfirm {
  /** The current plan; null when the last subscription has ended. */
  currentPriceRef: PriceRef | null;
  /** The current license; null when the last one has ended. */
  license: License | null;
}

/** The new plan and the current plan. They are side by side if each label fits in one line. */
export function PlanChangePanels(props: PlanChangePanelsProps) {
  const config = useConfig();
  const { currentPriceRef, target, license, user } = props;
  const { pastLicense } = user;
  return (
    <div className="@container rounded-card border border-line bg-surface">
      <div className="grid grid-cols-1 divide-y divide-line @min-[25rem]:grid-cols-2 @min-[25rem]:grid-rows-[auto_auto_1fr] @min-[25rem]:divide-x @min-[25rem]:divide-y-0">
        <PlanPanel label="CHANGING TO" isTarget>
          <Name>{target.plan.displayName}</Name>
          <Price interval={target.priceRef.interval}>{priceText(config, target.price)}</Price>
        </PlanPanel>
        <PlanPanel label="CURRENT PLAN" status={(license ?? pastLicense)?.raw.status}>
          {currentPriceRef ? (
            <>
              <Name>{planDisplayName(currentPriceRef.product, config)}</Name>
              <Price interval={currentPriceRef.interval} endsAt={license?.ends_at}>
                {license && licensePriceText(license, config)}
              </Price>
            </>
          ) : (
            <EndedPlan title={pastLicense ? endedTitle(pastLicense, config) : 'It has ended'} />
          )}
        </PlanPanel>
      </div>
    </div>
  );
}

interface PlanPanelProps {
  label: string;
  status?: string;
  /** Whether this is the new plan. */
  isTarget?: boolean;
  children: Elements;
}

const PlanPanel = ({ label, status, isTarget, children }: PlanPanelProps) => (
  <section
    className={cx(
      'figures flex min-w-0 flex-wrap items-baseline justify-between gap-x-4 p-4 @md:p-6',
      '@min-[25rem]:row-span-3 @min-[25rem]:grid @min-[25rem]:grid-rows-subgrid @min-[25rem]:justify-stretch',
      !isTarget && 'text-muted',
    )}
  >
    <h2 className={cx('w-full text-sm font-semibold tracking-normal', isTarget && 'text-brand')}>
      <span className="inline-block">{label}</span>{' '}
      <span className="inline-block empty:hidden">{status && `(${statusText(status)})`}</span>
    </h2>
    {children}
  </section>
);

const Name = ({ children }: { children: ReactNode }) => (
  <p className="mt-1 text-lg font-heading @md:text-xl">{children}</p>
);

interface PriceProps {
  interval: string;
  /** When the plan ends; absent if it renews. */
  endsAt?: string | null;
  children: string | null;
}

function Price({ interval, endsAt, children }: PriceProps) {
  const { timeZone } = useConfig();
  return (
    <div className="mt-1 ml-auto text-right @min-[25rem]:ml-0 @min-[25rem]:text-left">
      {children && <p>{`${children} ${perInterval(interval)}`}</p>}
      <p className="text-sm text-muted">
        {endsAt ? `Ends on ${dateText(endsAt, timeZone)}` : `Billed ${interval}`}
      </p>
    </div>
  );
}

const EndedPlan = ({ title }: { title: string }) => (
  <>
    <Name>None</Name>
    <p className="mt-1">{`${title}.`}</p>
  </>
);
