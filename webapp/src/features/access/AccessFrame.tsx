import type { ReactNode } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { Card } from '@/components/Card';
import { Notice } from '@/components/Notice';
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

interface LinkFailureProps {
  /** The title of the screen. */
  title: string;
  error: ApiError;
  retry: () => void;
  /** What to do when the link is unknown or too old. */
  children: ReactNode;
}

/** Shown when what a link is about could not be loaded. */
export function LinkFailure({ title, error, retry, children }: LinkFailureProps) {
  if (error.status === 404) {
    return (
      <AccessFrame title="This link is unknown or too old" focused>
        {children}
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={title}>
      <Notice tone="danger" className="mt-6" title="Please try again later!">
        {error.message && <p>{error.message}</p>}
        <Button look="secondary" className="mt-3" onClick={retry}>
          Try again
        </Button>
      </Notice>
    </AccessFrame>
  );
}
