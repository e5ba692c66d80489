import type { ReactNode } from 'react';

interface PicturePageProps {
  /** An illustration, shown at the right where it fits. */
  picture: ReactNode;
  children: ReactNode;
}

/** The layout of screens with one short text or form, which is aligned with the left edge of all other screens. */
export const PicturePage = ({ picture, children }: PicturePageProps) => (
  <div className="page @container">
    <div className="flex items-start justify-between gap-16 pt-8 @min-[60rem]:pt-14">
      <div className="w-full max-w-[40rem] min-w-0">{children}</div>
      <div className="hidden w-110 min-w-0 @min-[60rem]:block">{picture}</div>
    </div>
  </div>
);
