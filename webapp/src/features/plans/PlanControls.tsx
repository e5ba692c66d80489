import type { Currency } from '@/api';
import { CurrencyFlag } from '@/components/CurrencyFlag';
import { RadioGroup } from '@/components/RadioGroup';
import type { Interval } from '@/rules/types';
import { type PlansView, usePlansStore } from './use-plans';

const intervals: { value: Interval; label: string }[] = [
  { value: 'yearly', label: 'Annual billing' },
  { value: 'monthly', label: 'Monthly billing' },
];

/** The interval and currency selection. */
export function PlanControls({ view, currencies }: { view: PlansView; currencies: Currency[] }) {
  const pick = usePlansStore((store) => store.pick);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <RadioGroup
        legend="Billing interval"
        options={intervals}
        value={view.interval}
        onChange={(interval) => pick(view.user, { interval })}
      />
      <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2 sm:w-auto">
        {view.locked && (
          <p id="currency-locked" className="text-sm text-muted">
            Your organisation is billed in {view.currency}.
          </p>
        )}
        <RadioGroup
          legend="Currency"
          options={currencies.map(({ code }) => ({ value: code, label: <Option code={code} /> }))}
          value={view.currency}
          onChange={(currency) => pick(view.user, { currency })}
          locked={view.locked}
          describedBy={view.locked ? 'currency-locked' : undefined}
        />
      </div>
      <p role="status" className="sr-only">
        {`Prices per month in ${view.currencyInfo?.name_plural ?? view.currency}, billed ${view.interval}`}
      </p>
    </div>
  );
}

const Option = ({ code }: { code: string }) => (
  <>
    <CurrencyFlag code={code} className="rounded-flag" />
    {code}
  </>
);
