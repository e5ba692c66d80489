import type { ReactNode } from 'react';
import { Letter } from '@/components/illustrations/Seats';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';

interface AccessFrameProps {
  title: string;
  /** Focuses the heading, because the content replaces another one. */
  focused?: boolean;
  children: ReactNode;
}

/** The layout of the access screens, which links in emails open. */
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
