import { useId } from 'react';
import type { ChangeTiming } from '@/api';
import { choiceClass } from '@/components/choice-class';
import { cx } from '@/lib/cx';

interface TimingChoiceProps {
  options: readonly { value: ChangeTiming; label: string; text: string; note?: string }[];
  value: ChangeTiming;
  onChange: (value: ChangeTiming) => void;
}

/** Radio buttons that choose whether the plan changes now or at the renewal. */
export function TimingChoice({ options, value, onChange }: TimingChoiceProps) {
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 text-lg font-heading">When to change</legend>
      <div className="divide-y divide-line rounded-control border border-control-line bg-surface">
        {options.map((option) => (
          <label key={option.value} className={rowClass}>
            <input
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-labelledby={`${id}-${option.value}`}
              aria-describedby={cx(
                `${id}-${option.value}-text`,
                option.note !== undefined && `${id}-${option.value}-note`,
              )}
              className="check mt-0.5"
            />
            <span className="min-w-0">
              <span id={`${id}-${option.value}`} className="block font-semibold">
                {option.label}
              </span>
              <span
                id={`${id}-${option.value}-text`}
                className="mt-1 block text-muted group-has-checked:text-ink"
              >
                {option.text}
              </span>
              {option.note !== undefined && (
                // Reserves the lines of the longest note, so that the layout does not shift when the amounts are loaded.
                <span id={`${id}-${option.value}-note`} className="mt-1 block min-h-24 sm:min-h-12">
                  {option.note}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const rowClass = cx(
  'group flex min-h-11 gap-3 px-4 py-3 first:rounded-t-control last:rounded-b-control',
  choiceClass,
);
