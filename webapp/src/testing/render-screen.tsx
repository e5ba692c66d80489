import { render } from '@testing-library/react';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { type InitialEntry, MemoryRouter, useLocation } from 'react-router-dom';
import { useConfigStore } from '@/modules/config/config-store';
import { useSessionStore } from '@/modules/session/session-store';

/** The current location of the rendered router. */
export interface RenderedLocation {
  path: string;
  state: unknown;
}

/**
 * Renders a screen at its address and loads configuration and session as the app does. `before` are earlier
 * history entries. After a navigation the screen is unmounted; the result follows the location.
 */
export function renderScreen(
  Screen: ComponentType,
  at: InitialEntry,
  history: string[] = [],
): RenderedLocation {
  const location: RenderedLocation = { path: '', state: null };
  const screenPath = typeof at === 'string' ? at.split('?')[0] : at.pathname;

  function Probe() {
    const { pathname, search, state } = useLocation();
    Object.assign(location, { path: pathname + search, state });
    return pathname === screenPath ? <Screen /> : null;
  }

  render(
    <MemoryRouter initialEntries={[...history, at]}>
      <LoadStores>
        <Probe />
      </LoadStores>
    </MemoryRouter>,
  );
  return location;
}

function LoadStores({ children }: { children: ReactNode }) {
  useEffect(() => {
    void useConfigStore.getState().load();
    void useSessionStore.getState().refresh();
  }, []);
  return <main>{children}</main>;
}
