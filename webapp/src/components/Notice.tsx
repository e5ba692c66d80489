import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { CircleAlertIcon, CircleCheckIcon, InfoIcon, TriangleAlertIcon } from './icons';

const tones = {
  info: { Icon: InfoIcon, colors: 'bg-brand-soft text-brand-strong' },
  success: { Icon: CircleCheckIcon, colors: 'bg-success-soft text-success' },
  attention: { Icon: TriangleAlertIcon, colors: 'bg-attention-soft text-attention' },
  danger: { Icon: CircleAlertIcon, colors: 'bg-danger-soft text-danger' },
};

interface NoticeProps {
  tone?: keyof typeof tones;
  id?: string;
  /** Whether screen readers announce the notice: the tones danger and attention immediately, other tones politely. */
  live?: boolean;
  title?: string;
  children?: ReactNode;
  className?: string;
}

/** A message about the current action. */
export function Notice({
  tone = 'info',
  id,
  live = true,
  title,
  children,
  className,
}: NoticeProps) {
  const { Icon, colors } = tones[tone];
  const role = tone === 'danger' || tone === 'attention' ? 'alert' : 'status';
  return (
    <div
      id={id}
      role={live ? role : undefined}
      className={cx('flex gap-3 rounded-control px-4 py-3 forced-colors:border', colors, className)}
    >
      <Icon className="mt-0.5 shrink-0" />
      <div className="min-w-0 break-words">
        {title && <p className="font-semibold">{title}</p>}
        <div>{children}</div>
      </div>
    </div>
  );
}
