import { cx } from '@/lib/cx';

interface ChargeLineProps {
  label: string;
  /** The date or condition of the charge. */
  detail?: string;
  /** What is charged, below `detail`. */
  subject?: string;
  /** The tax that the amount includes, below the amount. */
  tax?: string;
  /** Whether the amount is emphasised. */
  strong?: boolean;
  /** The size of an emphasised amount; by default `large`. */
  size?: 'medium' | 'large';
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
export function ChargeLine(props: ChargeLineProps) {
  const { label, detail, subject, tax, strong, size = 'large', total, loading, children } = props;
  const detailClass = cx(
    'block text-sm font-normal empty:hidden',
    loading ? 'invisible' : 'text-muted',
  );
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
        <span className={detailClass}>{detail}</span>
        <span className={detailClass}>{subject}</span>
      </dt>
      <dd className="ml-auto text-right">
        <span
          translate="no"
          className={cx(
            'whitespace-nowrap',
            strong && 'amount font-heading',
            strong && (size === 'large' ? 'text-2xl' : 'text-lg sm:text-xl'),
            total && !strong && 'font-semibold',
            loading && skeletonClass,
          )}
        >
          {children}
        </span>
        {tax && <span className={detailClass}>{tax}</span>}
      </dd>
    </div>
  );
}
