import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { server } from './server';
import { onDesk } from './viewport';

vi.mock('zustand');

// Longer timeouts for busy machines.
configure({ asyncUtilTimeout: 5_000 });

// A request without a handler fails.
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  onDesk();
});
afterAll(() => server.close());
