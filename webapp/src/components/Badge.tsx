import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';

const tones = {
  neutral: 'bg-paper text-muted border-line',
  brand: 'bg-brand-soft text-brand-strong border-transparent',
  success: 'bg-success-soft text-success border-transparent',
  attention: 'bg-attention-soft text-attention border-transparent',
  danger: 'bg-danger-soft text-danger border-transparent',
};

/** A short label for the status of an item. */
export function Badge({
  tone = 'brand',
  children,
}: {
  tone?: keyof typeof tones;
  children: ReactNode;
}) {
  return (
    <span
      data-badge
      className={cx('inline-block rounded-control border px-2 text-sm font-semibold', tones[tone])}
    >
      {children}
    </span>
  );
}
