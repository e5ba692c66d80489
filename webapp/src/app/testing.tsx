import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type InitialEntry, MemoryRouter, useLocation } from 'react-router-dom';
import { onTestFinished } from 'vitest';
import { App } from './App';
import { loadApp } from './load-app';

/** Loads and renders the whole app at an entry of the history. `location` follows the router's location. */
export function renderApp(entry: InitialEntry) {
  const location = { path: '', state: null as unknown };

  function LocationRecorder() {
    const { pathname, search, hash, state } = useLocation();
    Object.assign(location, { path: pathname + search + hash, state });
    return null;
  }

  onTestFinished(loadApp());
  render(
    <MemoryRouter initialEntries={[entry]}>
      <App />
      <LocationRecorder />
    </MemoryRouter>,
  );
  return { user: userEvent.setup(), location };
}
