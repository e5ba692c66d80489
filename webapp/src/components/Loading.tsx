import { cx } from '@/lib/cx';
import { BusyIcon } from './icons';

/** The 'Loading...' indicator with a visible label. */
export function Loading({ label = 'Loading...' }: { label?: string }) {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-16 text-muted">
      <Spinner /> {label}
    </p>
  );
}

/** A decorative spinner; the text beside it describes the state. */
export function Spinner({ className }: { className?: string }) {
  return <BusyIcon className={cx('animate-spin', className)} />;
}

/** A placeholder for content that is loading; `className` sets its size. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={cx('animate-pulse rounded-control bg-line', className)} />;
}
