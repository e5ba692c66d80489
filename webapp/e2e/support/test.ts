import { test as base, expect } from '@playwright/test';
import { Guard } from './guard';
import { Server } from './server';

interface TestFixtures {
  /** Records the problems of the page. A problem that the test does not expect fails the test. */
  guard: Guard;
}

interface WorkerFixtures {
  server: Server;
}

/** Playwright's test with the real binary and a guard for every page. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: serverFixture(Server.start),
  baseURL: ({ server }, use) => use(server.url),
  guard: [
    async ({ page, server }, use) => {
      const guard = new Guard(page);
      const logStart = server.log.entries.length;
      await use(guard);
      expect.soft(guard.problems, 'problems of the page').toEqual([]);
      expect.soft(server.errorsSince(logStart), 'errors in the log of the server').toEqual([]);
    },
    { auto: true },
  ],
});

/** Returns `test` with the server that `start` returns, such as a server with other settings. */
export const testWithServer = (start: () => Promise<Server>) =>
  test.extend<object, WorkerFixtures>({ server: serverFixture(start) });

/** Starts a server for each worker and stops it at the end. */
function serverFixture(start: () => Promise<Server>) {
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names
  const fixture = async ({}, use: (server: Server) => Promise<void>) => {
    const server = await start();
    await use(server);
    await server.stop();
  };
  return [fixture, { scope: 'worker' }] as [typeof fixture, { scope: 'worker' }];
}

export { expect };
