import { cx } from '@/lib/cx';
import { BusyIcon } from './icons';

/** The 'Loading...' indicator, in sight and in words. */
export function Loading({ label = 'Loading...' }: { label?: string }) {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-16 text-muted">
      <Spinner /> {label}
    </p>
  );
}

/** Something is going on. Purely for the eye: words for it stand beside it. */
export function Spinner({ className }: { className?: string }) {
  return <BusyIcon className={cx('animate-spin', className)} />;
}

/** Holds the place of something still to come; its size comes from the class. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={cx('animate-pulse rounded-control bg-line', className)} />;
}
