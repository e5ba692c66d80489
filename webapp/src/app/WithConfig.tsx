import type { ReactNode } from 'react';
import type { Config } from '@/api';
import { Button } from '@/ui/Button';
import { Loading } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { useConfigStore } from './config-store';

interface WithConfigProps {
  /** What shows in the meantime. */
  fallback?: ReactNode;
  children: (config: Config) => ReactNode;
}

/** Shows what needs the configuration once it is there, and a way to try again when it is not. */
export function WithConfig({ fallback = <Loading />, children }: WithConfigProps) {
  const { state, load } = useConfigStore();
  if (state.status === 'ready') return children(state.config);
  if (state.status !== 'failed') return fallback;
  return (
    <div className="page py-16">
      <Notice tone="danger" title="Please try again later!">
        <p>We could not load this page: {state.error.message}</p>
      </Notice>
      <Button look="secondary" onClick={() => void load()} className="mt-4">
        Try again
      </Button>
    </div>
  );
}
