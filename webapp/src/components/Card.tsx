import type { ComponentProps } from 'react';
import { cx } from '@/lib/cx';

/** A surface that holds together what belongs together. */
export function Card({ className, ...section }: ComponentProps<'section'>) {
  return (
    <section
      {...section}
      className={cx('rounded-card border border-line bg-surface p-6', className)}
    />
  );
}
