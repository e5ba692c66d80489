import { type ComponentType, Fragment, type ReactNode } from 'react';
import type { Config } from '@/api';
import { useConfigStore } from '@/lib/config-store';
import { Button } from './Button';
import { Loading } from './Loading';
import { Notice } from './Notice';

interface WithConfigProps {
  /** Shown while the configuration loads. */
  fallback?: ReactNode;
  /** The column and the title around a failure, on screens that bring theirs with the rest. */
  frame?: ComponentType<{ children: ReactNode }>;
  children: (config: Config) => ReactNode;
}

/** Renders its children with the configuration, or an error with a Try again button. */
export function WithConfig({
  fallback = <Loading />,
  frame: Frame = Fragment,
  children,
}: WithConfigProps) {
  const { state, load } = useConfigStore();
  if (state.status === 'ready') return children(state.config);
  if (state.status !== 'failed') return fallback;
  return (
    <Frame>
      <Notice tone="danger" className="mt-6" title="Please try again later!">
        <p>We could not load this page: {state.error.message}</p>
      </Notice>
      <Button look="secondary" onClick={() => void load()} className="mt-4">
        Try again
      </Button>
    </Frame>
  );
}
