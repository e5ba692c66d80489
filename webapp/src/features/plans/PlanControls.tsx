import { type ReactElement, useRef } from 'react';
import type { Catalogue } from '@/api';
import { CurrencyFlag } from '@/components/CurrencyFlag';
import { ChevronDownIcon } from '@/components/icons';
import { RadioGroup } from '@/components/RadioGroup';
import { cx } from '@/lib/cx';
import { taxRateText } from '@/modules/billing/tax-text';
import { useConfig } from '@/modules/config/config-store';
import type { Interval } from '@/rules/types';
import { type PlansView, usePlanSelectionStore } from './use-plans-view';

const intervals: { value: Interval; label: ReactElement }[] = [
  { value: 'yearly', label: <span>Annual billing</span> },
  { value: 'monthly', label: <span>Monthly billing</span> },
];

/**
 * The selection of interval and currency. On a phone it stays in view, and the currencies are in a popover that closes
 * after a choice.
 */
export function PlanControls({ view }: { view: PlansView }) {
  const { currencies, catalogue } = useConfig();
  const select = usePlanSelectionStore((store) => store.select);
  const saving = smallestSaving(catalogue, view.currency);
  const panel = useRef<HTMLDivElement>(null);
  return (
    <div className="contents md:flex md:flex-wrap md:items-center md:gap-4 md:py-4">
      <div className="top-0 z-20 flex flex-wrap gap-2 bg-paper py-2 min-[22rem]:sticky md:contents">
        <div className="grow basis-56 md:grow-0 md:basis-auto">
          <RadioGroup
            legend="Billing interval"
            options={intervals}
            value={view.interval}
            onChange={(interval) => select(view.userId, { interval })}
            describedBy={saving > 0 ? 'yearly-saving' : undefined}
          />
        </div>
        <button type="button" popoverTarget="currencies" className={currencyButtonClass}>
          <span className="sr-only">Currency: </span>
          <CurrencyLabel code={view.currency} />
          <ChevronDownIcon size={16} />
        </button>
        <div id="currencies" ref={panel} popover="auto" className={currencyPanelClass}>
          <RadioGroup
            legend="Currency"
            options={currencies.map(({ code }) => ({
              value: code,
              label: <CurrencyLabel code={code} />,
            }))}
            value={view.currency}
            onChange={(currency) => {
              select(view.userId, { currency });
              panel.current?.hidePopover?.();
            }}
            locked={view.isCurrencyLocked}
            describedBy={view.isCurrencyLocked ? 'currency-locked' : undefined}
          />
        </div>
      </div>
      <PriceNotes view={view} saving={saving} tax={taxRateText(catalogue, view.currency)} />
      <p role="status" className="sr-only">
        {`Prices per month in ${view.currencyInfo?.name_plural ?? view.currency}, billed ${view.interval}`}
      </p>
    </div>
  );
}

const currencyButtonClass = cx(
  'flex min-h-11 items-center gap-2 rounded-control border border-control-line bg-surface px-2.5',
  'text-sm font-semibold hover:border-brand md:hidden',
);

const currencyPanelClass = cx(
  'top-auto w-full border-t border-line bg-surface p-4 text-ink',
  'md:static md:order-last md:ml-auto md:block md:w-auto md:overflow-visible md:border-0 md:bg-transparent md:p-0',
);

/** The notes on the saving of annual billing, the included tax and the locked currency. */
const PriceNotes = ({ view, saving, tax }: { view: PlansView; saving: number; tax: string }) => (
  <p className="mb-3 flex flex-wrap gap-x-1 text-sm text-muted md:mb-0 md:min-w-0 md:flex-1 md:basis-60">
    {saving > 0 && (
      <span id="yearly-saving">
        <strong className="font-semibold text-success">{`Save ${saving} %`}</strong>
        {' with annual billing.'}
      </span>
    )}
    {tax && <span>{`Prices include ${tax}.`}</span>}
    {view.isCurrencyLocked && (
      <span id="currency-locked">{`Your organisation is billed in ${view.currency}.`}</span>
    )}
  </p>
);

/** Returns the smallest saving of annual billing among the plans with a price, in percent. */
function smallestSaving({ prices }: Catalogue, currency: string): number {
  const savings = Object.values(prices)
    .map((price) => price[currency])
    .filter((price) => price && price.annual.yearly !== null)
    .map((price) => price?.yearlySaving ?? 0);
  return savings.length > 0 ? Math.min(...savings) : 0;
}

/** A currency with its flag. */
const CurrencyLabel = ({ code }: { code: string }) => (
  <>
    <CurrencyFlag code={code} className="rounded-flag" />
    <span translate="no">{code}</span>
  </>
);
