import type { ComponentProps, ReactNode } from 'react';
import { cx } from '@/lib/cx';

interface PanelProps extends ComponentProps<'section'> {
  /** Whether the sections are one below the other at every width. */
  isStacked?: boolean;
}

/** A bordered surface. Its sections are side by side if the width allows it, otherwise one below the other. */
export const Panel = ({ isStacked, className, ...section }: PanelProps) => (
  <section
    {...section}
    className={cx(
      'grid grid-cols-1 divide-y divide-line rounded-card border border-line bg-surface',
      !isStacked &&
        '@columns:grid-cols-[minmax(0,584fr)_minmax(0,400fr)] @columns:divide-x @columns:divide-y-0',
      className,
    )}
  />
);

/** A section of a panel. A single section has the full width. */
export const PanelSection = ({ className, ...section }: ComponentProps<'section'>) => (
  <section {...section} className={cx('min-w-0 px-4 py-5 only:col-span-full sm:p-6', className)} />
);

interface IllustratedPanelProps extends ComponentProps<'section'> {
  /** Shown beside the content where the width allows it. */
  picture: ReactNode;
}

/** A panel with content and a picture. */
export const IllustratedPanel = ({
  picture,
  className,
  children,
  ...section
}: IllustratedPanelProps) => (
  <section
    {...section}
    className={cx('flex rounded-card border border-line bg-surface', className)}
  >
    <div className="min-w-0 flex-[584] px-4 py-5 sm:p-6">{children}</div>
    <div className="hidden flex-[400] place-items-center p-6 @columns:grid print:hidden">
      {picture}
    </div>
  </section>
);
