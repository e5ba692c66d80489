import { cx } from './cx';

/** Holds the place of something still to come; its size comes from the class. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={cx('animate-pulse rounded-control bg-line', className)} />;
}
