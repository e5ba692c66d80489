import type { ReactNode } from 'react';
import { Card } from '@/components/Card';
import { PageTitle } from '@/components/PageTitle';

interface AccessFrameProps {
  title: string;
  /** Moves the focus to the heading, because it replaces earlier content. */
  focused?: boolean;
  children: ReactNode;
}

/** The layout of the access screens. */
export function AccessFrame({ title, focused, children }: AccessFrameProps) {
  return (
    <div className="page max-w-lg py-10 sm:py-16">
      <Card className="sm:p-8">
        <PageTitle key={title} focused={focused}>
          {title}
        </PageTitle>
        {children}
      </Card>
    </div>
  );
}
