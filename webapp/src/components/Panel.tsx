import type { ComponentProps, ReactNode } from 'react';
import { cx } from '@/lib/cx';

/** A surface whose parts are separated by lines: one below the other, or side by side where the width allows it. */
export const Sheet = ({ className, ...section }: ComponentProps<'section'>) => (
  <section
    {...section}
    className={cx(
      'grid grid-cols-1 divide-y divide-line rounded-card border border-line bg-surface',
      '@columns:grid-cols-[minmax(0,584fr)_minmax(0,400fr)] @columns:divide-x @columns:divide-y-0',
      className,
    )}
  />
);

/** A part of a sheet. A single part has the full width. */
export const SheetPart = ({ className, ...section }: ComponentProps<'section'>) => (
  <section {...section} className={cx('min-w-0 px-4 py-5 only:col-span-full sm:p-6', className)} />
);

interface IllustratedSheetProps extends ComponentProps<'section'> {
  /** Shown beside the content where the width allows it. */
  picture: ReactNode;
}

/** A sheet with one part and a picture. */
export const IllustratedSheet = ({
  picture,
  className,
  children,
  ...section
}: IllustratedSheetProps) => (
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
