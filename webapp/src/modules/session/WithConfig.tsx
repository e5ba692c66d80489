import { type ComponentType, Fragment, type ReactNode } from 'react';
import { LoadFailure } from '@/components/LoadFailure';
import { Loading } from '@/components/Loading';
import type { Elements } from '@/lib/elements';
import { ConfigContext, useConfigStore } from '@/modules/config/config-store';
import { useScreenConfig } from './use-screen-config';

interface WithConfigProps {
  /** Shown while the configuration loads. */
  fallback?: Elements;
  /** The layout around the error message, for screens whose children contain their layout. */
  frame?: ComponentType<{ children: Elements }>;
  children: ReactNode;
}

/**
 * Renders its children once the configuration is loaded, so that they can call `useConfig`. If loading fails, it shows
 * an error with a Try again button.
 */
export function WithConfig({
  fallback = <Loading />,
  frame: Frame = Fragment,
  children,
}: WithConfigProps) {
  const { state, load } = useConfigStore();
  const config = useScreenConfig();
  if (config) return <ConfigContext value={config}>{children}</ConfigContext>;
  if (state.status !== 'failed') return fallback;
  return (
    <Frame>
      <LoadFailure className="mt-6" retry={() => void load()}>
        {['We could not load this page', state.error.message].filter(Boolean).join(': ')}
      </LoadFailure>
    </Frame>
  );
}
