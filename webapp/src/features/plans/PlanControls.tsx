import type { Catalogue, Config } from '@/api';
import { CurrencyFlag } from '@/components/CurrencyFlag';
import { RadioGroup } from '@/components/RadioGroup';
import type { Interval } from '@/rules/types';
import { type PlansView, usePlansStore } from './use-plans';

const intervals: { value: Interval; label: string }[] = [
  { value: 'yearly', label: 'Annual billing' },
  { value: 'monthly', label: 'Monthly billing' },
];

/** The interval and currency selection. */
export function PlanControls({ view, config }: { view: PlansView; config: Config }) {
  const { currencies, catalogue } = config;
  const saving = savingText(catalogue, view.currency);
  const select = usePlansStore((store) => store.select);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <RadioGroup
          legend="Billing interval"
          options={intervals}
          value={view.interval}
          onChange={(interval) => select(view.user, { interval })}
          describedBy={saving ? 'yearly-saving' : undefined}
        />
        {saving && (
          <p id="yearly-saving" className="text-sm font-semibold text-success">
            {saving}
            <span className="sr-only"> with annual billing</span>
          </p>
        )}
      </div>
      <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2 sm:w-auto">
        {view.locked && (
          <p id="currency-locked" className="text-sm text-muted">
            Your organisation is billed in {view.currency}.
          </p>
        )}
        <RadioGroup
          legend="Currency"
          options={currencies.map(({ code }) => ({
            value: code,
            label: <CurrencyLabel code={code} />,
          }))}
          value={view.currency}
          onChange={(currency) => select(view.user, { currency })}
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

/** 'Save 10 %', or 'Save up to 11 %' where it depends on the plan; null where nothing is saved. */
function savingText({ prices }: Catalogue, currency: string): string | null {
  const savings = Object.values(prices)
    .map((price) => price[currency])
    .filter((price) => price && price.annual.yearly !== null)
    .map((price) => price?.yearlySaving ?? 0);
  const highest = Math.max(0, ...savings);
  if (highest === 0) return null;
  return savings.every((saving) => saving === highest)
    ? `Save ${highest} %`
    : `Save up to ${highest} %`;
}

/** A currency with its flag. */
const CurrencyLabel = ({ code }: { code: string }) => (
  <>
    <CurrencyFlag code={code} className="rounded-flag" />
    {code}
  </>
);
