import { render } from '@testing-library/react';
import { type ComponentType, type ReactNode, useEffect } from 'react';
import { type InitialEntry, MemoryRouter, useLocation } from 'react-router-dom';
import { useConfigStore } from '@/lib/config-store';
import { useSessionStore } from '@/lib/session-store';

/** The current location of the rendered router. */
export interface Place {
  path: string;
  state: unknown;
}

/**
 * Shows a screen at its address, after those visited before it, and asks who is there and what
 * there is, as the app does. Away from its path the screen is gone. Returns where one is.
 */
export function renderScreen(
  Screen: ComponentType,
  at: InitialEntry,
  before: string[] = [],
): Place {
  const place: Place = { path: '', state: null };
  const here = typeof at === 'string' ? at.split('?')[0] : at.pathname;

  function Probe() {
    const { pathname, search, state } = useLocation();
    Object.assign(place, { path: pathname + search, state });
    return pathname === here ? <Screen /> : null;
  }

  render(
    <MemoryRouter initialEntries={[...before, at]}>
      <App>
        <Probe />
      </App>
    </MemoryRouter>,
  );
  return place;
}

function App({ children }: { children: ReactNode }) {
  useEffect(() => {
    void useConfigStore.getState().load();
    void useSessionStore.getState().refresh();
  }, []);
  return <main>{children}</main>;
}
