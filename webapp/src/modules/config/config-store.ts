import { createContext, useContext } from 'react';
import { create } from 'zustand';
import { type ApiError, type Config, getConfig } from '@/api';
import { logFailure } from '@/lib/log';

/** The configuration, and the screen on which amounts have decimals. */
interface LoadedConfig extends Config {
  /** The path of the last screen on which an amount had decimals; see screen-decimals.ts. */
  pathWithDecimals?: string;
}

/** The configuration that components receive, with everything that the format of amounts and dates depends on. */
export interface ScreenConfig extends LoadedConfig {
  /** The time zone of the signed-in user's organisation; undefined for that of the browser. */
  timeZone: string | undefined;
}

/** The configuration or its loading state. */
type ConfigState =
  | { status: 'idle' | 'loading' }
  | { status: 'ready'; config: LoadedConfig }
  | { status: 'failed'; error: ApiError };

interface ConfigStore {
  state: ConfigState;
  /** Fetches the configuration unless it is loaded or loading; retries after a failure. */
  load: () => Promise<void>;
}

export const useConfigStore = create<ConfigStore>()((set, get) => ({
  state: { status: 'idle' },
  load: async () => {
    const { status } = get().state;
    if (status === 'ready' || status === 'loading') return;
    set({ state: { status: 'loading' } });
    try {
      set({ state: { status: 'ready', config: await getConfig() } });
    } catch (error) {
      logFailure('The configuration could not be loaded', error);
      set({ state: { status: 'failed', error: error as ApiError } });
    }
  },
}));

/** Returns the configuration, or null until it is loaded. */
export const useLoadedConfig = (): LoadedConfig | null =>
  useConfigStore(({ state }) => (state.status === 'ready' ? state.config : null));

/** The configuration of the components within `WithConfig`. */
export const ConfigContext = createContext<ScreenConfig | null>(null);

/** Returns the configuration, for use within `WithConfig`, which waits for it. */
export function useConfig(): ScreenConfig {
  const config = useContext(ConfigContext);
  if (!config) throw new Error('useConfig is used outside of WithConfig');
  return config;
}
