import type { ComponentProps } from 'react';
import { cx } from '@/lib/cx';

/** A bordered surface that groups related content. */
export function Card({ className, ...section }: ComponentProps<'section'>) {
  return (
    <section
      {...section}
      className={cx('rounded-card border border-line bg-surface p-6', className)}
    />
  );
}
