import { cx } from '@/lib/cx';
import { Card } from './Card';
import { LoaderIcon } from './icons';

/** A spinner with a visible label. */
export function Loading({ label = 'Loading...' }: { label?: string }) {
  return (
    <p
      role="status"
      data-loading
      className="flex items-center justify-center gap-3 py-16 text-muted"
    >
      <Spinner />
      <span>{label}</span>
    </p>
  );
}

/** A decorative spinner; the text beside it describes the state. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderIcon className={cx('animate-spin', className)} />;
}

/** A placeholder for content that is loading; `className` sets its size. */
export function Skeleton({ className }: { className: string }) {
  return (
    <div
      aria-hidden
      data-loading
      className={cx('animate-pulse rounded-control bg-line forced-colors:border', className)}
    />
  );
}

/** A placeholder for a card that is loading: its outline, with bars for text. */
export function CardSkeleton({ className }: { className: string }) {
  return (
    <Card aria-hidden className={cx('overflow-hidden', className)}>
      <Skeleton className="h-6 w-2/5" />
      <Skeleton className="mt-6 h-4" />
      <Skeleton className="mt-3 h-4 w-4/5" />
      <Skeleton className="mt-3 h-4 w-3/5" />
    </Card>
  );
}
