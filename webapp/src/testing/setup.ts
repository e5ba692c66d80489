import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { server } from './server';
import { useDesktopViewport } from './viewport';

vi.mock('zustand');

// Longer timeouts for busy machines.
configure({ asyncUtilTimeout: 15_000 });

/** Removes the listeners that modules have added to the target since the call. */
function trackListeners(target: EventTarget) {
  const add = target.addEventListener;
  const added: Parameters<EventTarget['addEventListener']>[] = [];
  target.addEventListener = (...listener) => {
    added.push(listener);
    add.apply(target, listener);
  };
  return () => {
    target.addEventListener = add;
    for (const [type, listener, options] of added) {
      target.removeEventListener(type, listener, options);
    }
  };
}

// The test files of a thread share one document (`isolate: false` in vite.config.ts). Each begins
// with fresh modules, at the first address, and without the listeners of the files before.
const startAddress = '/vc-admin/diy/plans';
const removeListeners = trackListeners(window);
window.history.replaceState(null, '', startAddress);

// A request without a handler fails.
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  useDesktopViewport();
});
afterAll(() => {
  server.close();
  removeListeners();
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.resetModules();
});
