import { useMemo } from 'react';
import { type ScreenConfig, useLoadedConfig } from '@/modules/config/config-store';
import { useOrganisationZone } from './dates';

/**
 * Returns the configuration with the time zone of the signed-in user's organisation; null until the configuration is loaded.
 * The object is the same while its contents are, so that its consumers are not rendered needlessly.
 */
export function useScreenConfig(): ScreenConfig | null {
  const config = useLoadedConfig();
  const timeZone = useOrganisationZone();
  return useMemo(() => config && { ...config, timeZone }, [config, timeZone]);
}
