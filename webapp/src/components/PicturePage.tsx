import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';

interface PicturePageProps {
  /** An illustration, shown at the right where it fits. */
  picture: ReactNode;
  /** Whether the content is a short form. Form and picture are then centred together. */
  isForm?: boolean;
  children: ReactNode;
}

/**
 * The layout of screens with one short text or form. A text is aligned with the left edge of all other screens, and the
 * picture with the right edge.
 */
export const PicturePage = ({ picture, isForm, children }: PicturePageProps) => (
  <div className="page @container">
    <div
      className={cx(
        'flex items-start pt-8 @min-[60rem]:pt-14',
        isForm ? 'gap-24 @min-[60rem]:justify-center' : 'justify-between gap-16',
      )}
    >
      <div className={cx('w-full min-w-0', isForm ? 'max-w-100' : 'max-w-[40rem]')}>{children}</div>
      <div className="hidden w-110 min-w-0 @min-[60rem]:block">{picture}</div>
    </div>
  </div>
);
