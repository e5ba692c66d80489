import type { ReactNode } from 'react';
import { Button } from './Button';
import { Notice } from './Notice';

interface LoadFailureProps {
  retry: () => void;
  className?: string;
  /** The text about the content that could not be loaded. */
  children: ReactNode;
}

/** An error with a Try again button, shown in place of the content that could not be loaded. */
export const LoadFailure = ({ retry, className, children }: LoadFailureProps) => (
  <div className={className}>
    <Notice tone="danger" title="Please try again later!">
      <p>{children}</p>
    </Notice>
    <Button variant="secondary" className="mt-4" onClick={retry}>
      Try again
    </Button>
  </div>
);
