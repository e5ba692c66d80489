import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { server } from './server';
import { onDesk } from './viewport';

vi.mock('zustand');

// Patience for machines that do other things meanwhile; a test that passes never waits for it.
configure({ asyncUtilTimeout: 5_000 });

// A request that no test has answered is a mistake in the test or in the code: it fails.
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  onDesk();
});
afterAll(() => server.close());
