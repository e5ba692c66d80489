import type { ReactNode } from 'react';
import { Letter } from '@/components/illustrations/Seats';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';

interface AccessFrameProps {
  title: string;
  /** Moves the focus to the heading, because it replaces earlier content. */
  focused?: boolean;
  children: ReactNode;
}

/** The layout of the access screens, to which links in emails lead. */
export function AccessFrame({ title, focused, children }: AccessFrameProps) {
  return (
    <PicturePage picture={<Letter className="w-full" />}>
      <div className="max-w-110">
        <PageTitle key={title} focused={focused}>
          {title}
        </PageTitle>
        {children}
      </div>
    </PicturePage>
  );
}
