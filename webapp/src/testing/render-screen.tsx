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
 * Renders a screen at its URL and loads the configuration and the session as the app does. `earlierEntries` precede the URL
 * in the history. A navigation unmounts the screen and updates the returned location.
 */
export function renderScreen(
  Screen: ComponentType,
  entry: InitialEntry,
  earlierEntries: string[] = [],
): RenderedLocation {
  const location: RenderedLocation = { path: '', state: null };
  const screenPath = typeof entry === 'string' ? entry.split('?')[0] : entry.pathname;

  function ScreenAtPath() {
    const { pathname, search, state } = useLocation();
    Object.assign(location, { path: pathname + search, state });
    return pathname === screenPath ? <Screen /> : null;
  }

  render(
    <MemoryRouter initialEntries={[...earlierEntries, entry]}>
      <LoadStores>
        <ScreenAtPath />
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
