import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { server } from './server';
import { useDesktopViewport } from './viewport';

vi.mock('zustand');

// Longer timeouts for busy machines.
configure({ asyncUtilTimeout: 15_000 });

/**
 * Begins a test; returns the function that ends it like leaving a page: its timers stop, its listeners are
 * removed, and responses that are still to come are ignored.
 */
function enterPage() {
  const listeners = vi.spyOn(window, 'addEventListener');
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const requests: XMLHttpRequest[] = [];
  const TrackedRequest = class extends XMLHttpRequest {
    constructor() {
      super();
      requests.push(this);
    }
  };
  vi.stubGlobal('XMLHttpRequest', TrackedRequest);

  return async function leavePage() {
    vi.useRealTimers();
    cleanup();
    // A response that has arrived may send another request, which needs the handlers of this test.
    await new Promise((resolve) => setTimeout(resolve));
    for (const { value } of timers.mock.results) clearTimeout(value);
    for (const listener of listeners.mock.calls) window.removeEventListener(...listener);
    for (const request of requests) request.onloadend = null;
    vi.clearAllMocks();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    server.resetHandlers();
    localStorage.clear();
    sessionStorage.clear();
    useDesktopViewport();
  };
}

// The test files of a worker share one document (`isolate: false` in vite.config.ts). Each begins
// with fresh modules and at the first address.
window.history.replaceState(null, '', '/vc-admin/diy/plans');

// A request without a handler fails.
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(enterPage);
afterAll(async () => {
  // An import that ends later would add its module to those of the next file.
  await vi.dynamicImportSettled();
  server.close();
  document.body.replaceChildren();
  vi.resetModules();
});
