import { test as base, expect } from '@playwright/test';
import { Guard } from './guard';
import { Server } from './server';

interface PerTest {
  /** Announces failures that a test causes intentionally; all others fail the test. */
  guard: Guard;
}

interface PerWorker {
  server: Server;
}

/** Playwright's test with the real binary and a guard for every page. */
export const test = base.extend<PerTest, PerWorker>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  guard: [
    async ({ page, server }, use) => {
      const guard = new Guard(page);
      const from = server.log.entries.length;
      await use(guard);
      expect.soft(guard.problems, 'problems of the page').toEqual([]);
      expect.soft(server.errorsSince(from), 'errors in the log of the server').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
