import { useMemo } from 'react';
import { type ScreenConfig, useLoadedConfig } from '@/modules/config/config-store';
import { useOrganisationZone } from './dates';

/**
 * Returns the configuration with the time zone of the signed-in user's organisation, or null until it is loaded. The object
 * changes only with its contents, so that a render does not render all its consumers.
 */
export function useScreenConfig(): ScreenConfig | null {
  const config = useLoadedConfig();
  const timeZone = useOrganisationZone();
  return useMemo(() => config && { ...config, timeZone }, [config, timeZone]);
}
