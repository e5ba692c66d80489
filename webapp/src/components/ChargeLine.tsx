import { cx } from '@/lib/cx';

interface ChargeLineProps {
  label: string;
  /** The date or condition of the charge. */
  detail?: string;
  /** Emphasises the amount. */
  strong?: boolean;
  /** Separates a total from the lines above. */
  sum?: boolean;
  children: string;
}

/** A line of a charge: a label and its amount; for use within a `dl`. */
export function ChargeLine({ label, detail, strong, sum, children }: ChargeLineProps) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-baseline justify-between gap-x-4',
        sum && 'border-line not-first:border-t not-first:pt-3',
      )}
    >
      <dt className={cx('max-w-full grow basis-24', strong ? 'font-semibold' : 'text-muted')}>
        {label} {detail && <span className="block text-sm font-normal text-muted">{detail}</span>}
      </dt>
      <dd
        className={cx(
          'ml-auto whitespace-nowrap',
          strong && 'text-2xl font-heading tracking-amount',
        )}
      >
        {children}
      </dd>
    </div>
  );
}
