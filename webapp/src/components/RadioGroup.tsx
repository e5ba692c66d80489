import { useId } from 'react';
import { cx } from '@/lib/cx';
import type { Elements } from '@/lib/elements';

interface RadioGroupProps<T extends string> {
  /** The label of the group, for screen readers only. */
  legend: string;
  options: readonly { value: T; label: Elements }[];
  value: T;
  onChange: (value: T) => void;
  /** Whether the options that are not selected are disabled. */
  locked?: boolean;
  /** The id of the element that describes the group. */
  describedBy?: string;
}

/** A row of native radio buttons. */
export function RadioGroup<T extends string>(props: RadioGroupProps<T>) {
  const { legend, options, value, onChange, locked, describedBy } = props;
  const name = useId();
  return (
    <fieldset aria-describedby={describedBy} className="w-full min-w-0 sm:w-auto">
      <legend className="sr-only">{legend}</legend>
      <div className="flex flex-wrap gap-0.5 rounded-control border border-control-line bg-surface p-[3px] sm:inline-flex">
        {options.map((option) => (
          <label key={option.value} className={optionClass}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={locked && option.value !== value}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 appearance-none rounded-[6px]"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const optionClass = cx(
  'relative flex min-h-9 grow basis-0 flex-col items-center justify-center gap-x-2 whitespace-nowrap',
  'rounded-[6px] border border-transparent px-1 py-1.5 text-center text-sm font-medium transition-colors sm:grow-0 sm:basis-auto sm:flex-row sm:px-3',
  'not-has-checked:hover:bg-paper has-checked:border-brand has-checked:bg-brand-soft has-checked:text-brand-strong',
  'forced-colors:has-checked:bg-[Highlight] forced-colors:has-checked:text-[HighlightText] forced-colors:has-checked:forced-color-adjust-none',
  'has-disabled:cursor-not-allowed has-disabled:text-muted has-disabled:hover:bg-transparent',
);
