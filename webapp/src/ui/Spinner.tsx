import { cx } from './cx';
import { BusyIcon } from './icons';

/** Something is going on. Purely for the eye: words for it stand beside it. */
export function Spinner({ className }: { className?: string }) {
  return <BusyIcon className={cx('animate-spin', className)} />;
}
