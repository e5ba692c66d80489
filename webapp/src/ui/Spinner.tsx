import { LoaderCircle } from 'lucide-react';
import { cx } from './cx';

/** Something is going on. Purely for the eye: words for it stand beside it. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden size={20} className={cx('animate-spin', className)} />;
}
