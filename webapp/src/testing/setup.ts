import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { queryClient } from '@/modules/session/query-client';
import { server } from './server';
import { useDesktopViewport } from './viewport';

vi.mock('zustand');

// Busy machines need a longer timeout.
configure({ asyncUtilTimeout: 60_000 });

/**
 * Isolates a test from later tests. The returned function runs after the test. It stops timers, removes window listeners,
 * drops pending responses, and clears storage and cookies. A sign-out or redirect in a test does not leave the page.
 */
function isolateTest() {
  const addListener = vi.spyOn(window, 'addEventListener');
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const dropXhrResponses = trackXhrRequests();
  const dropFetchResponses = trackFetchRequests();
  // biome-ignore lint/suspicious/noDocumentCookie: the server sets it with its first response
  document.cookie = 'XSRF-TOKEN=initial; path=/';

  return async () => {
    vi.useRealTimers();
    cleanup();
    queryClient.clear();
    // The handler of a response may send another request, which needs the handlers of this test.
    await new Promise((resolve) => setTimeout(resolve));
    for (const { value: timer } of setTimer.mock.results) clearTimeout(timer);
    for (const listener of addListener.mock.calls) window.removeEventListener(...listener);
    dropXhrResponses();
    dropFetchResponses();
    vi.clearAllMocks();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    server.resetHandlers();
    localStorage.clear();
    sessionStorage.clear();
    for (const cookie of document.cookie.split('; ')) {
      // biome-ignore lint/suspicious/noDocumentCookie: happy-dom has no cookie store
      document.cookie = `${cookie.split('=')[0]}=; path=/; max-age=0`;
    }
    useDesktopViewport();
  };
}

/** Tracks the requests with XMLHttpRequest. Returns a function that drops their pending responses. */
function trackXhrRequests(): () => void {
  const requests: XMLHttpRequest[] = [];
  const TrackedRequest = class extends XMLHttpRequest {
    constructor() {
      super();
      requests.push(this);
    }
  };
  vi.stubGlobal('XMLHttpRequest', TrackedRequest);
  return () => {
    for (const request of requests) {
      Object.assign(request, { onloadend: null, onerror: null, ontimeout: null });
    }
  };
}

/** Tracks the requests with fetch. Returns a function that drops their pending responses. */
function trackFetchRequests(): () => void {
  let isTestOver = false;
  const originalFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    try {
      return await originalFetch(...request);
    } finally {
      if (isTestOver) await new Promise(() => {}); // never settles
    }
  });
  return () => {
    isTestOver = true;
  };
}

// The test files of a worker share one document (`isolate: false` in vite.config.ts). Each starts with
// newly loaded modules and at this URL.
window.history.replaceState(null, '', '/vc-admin/diy/plans');

// A request without a handler fails.
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(isolateTest);
afterAll(async () => {
  // An import that ends after its test file would add its module to the modules of the next file.
  await vi.dynamicImportSettled();
  server.close();
  document.body.replaceChildren();
  vi.resetModules();
});
