import { cx } from '@/lib/cx';

interface ChargeLineProps {
  label: string;
  /** The date or condition of the charge. */
  detail?: string;
  /** Whether the amount is emphasised. */
  strong?: boolean;
  /** Whether the line is a total, which is bold and separated from the lines above. */
  total?: boolean;
  /** Whether to show bars of the same size instead of the texts, because the amount is loading. */
  loading?: boolean;
  children: string;
}

/** The classes that show a text as a bar of the same size. */
const skeletonClass =
  'animate-pulse rounded-control bg-line text-transparent select-none forced-colors:invisible';

/** A line of a charge: a label and its amount. Must be rendered within a `dl`. */
export function ChargeLine({ label, detail, strong, total, loading, children }: ChargeLineProps) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-baseline justify-between gap-x-4',
        total && 'border-line not-first:border-t not-first:pt-3',
      )}
    >
      <dt
        className={cx('max-w-full grow basis-24', strong || total ? 'font-semibold' : 'text-muted')}
      >
        <span className={loading ? skeletonClass : undefined}>{label}</span>{' '}
        <span
          className={cx(
            'block text-sm font-normal empty:hidden',
            loading ? 'invisible' : 'text-muted',
          )}
        >
          {detail}
        </span>
      </dt>
      <dd
        className={cx(
          'ml-auto whitespace-nowrap',
          strong && 'amount text-2xl font-heading',
          total && !strong && 'font-semibold',
        )}
      >
        <span translate="no" className={loading ? skeletonClass : undefined}>
          {children}
        </span>
      </dd>
    </div>
  );
}
