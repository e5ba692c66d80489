import { type ScreenConfig, useConfigStore } from './config-store';

type Decimals = Pick<ScreenConfig, 'pathWithDecimals'>;

/** Returns whether all amounts of the current screen are written with decimals. */
export const hasDecimals = ({ pathWithDecimals }: Decimals): boolean =>
  pathWithDecimals === window.location.pathname;

/**
 * Writes all amounts of the current screen with decimals. The function that formats an amount calls it, because parts of
 * a screen, such as a banner, a quote and the last invoices, load independently. It changes the configuration, so that
 * everything that shows amounts is rendered again, before the browser paints.
 */
export function showDecimals(config: Decimals): void {
  if (hasDecimals(config)) return;
  const pathWithDecimals = window.location.pathname;
  queueMicrotask(() => {
    const { state } = useConfigStore.getState();
    if (state.status !== 'ready' || hasDecimals(state.config)) return;
    useConfigStore.setState({ state: { ...state, config: { ...state.config, pathWithDecimals } } });
  });
}
