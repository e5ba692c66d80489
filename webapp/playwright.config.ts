import { defineConfig } from '@playwright/test';

/** Debian's Chromium, as it runs in a container; the network flags keep it from calling home. */
const launchOptions = {
  executablePath: process.env.DIY_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  forbidOnly: process.env.CI === 'true',
  workers: 2,
  // A test that passes on the second attempt is listed as flaky.
  retries: process.env.CI === 'true' ? 1 : 0,
  // Long, because a shared machine can be several times slower than a developer's.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    // Traces can be opened on the developer's machine only, and recording them takes time.
    trace: process.env.CI === 'true' ? 'off' : 'retain-on-failure',
    launchOptions,
  },
  projects: [
    { name: 'chromium', testMatch: '**/*.spec.ts', testIgnore: 'stripe/**' },
    // With the Stripe adapter, against the local Stripe API.
    { name: 'stripe', testDir: 'e2e/stripe' },
    // Captures the screens (make screens); these are not tests.
    { name: 'screens', testMatch: '**/screens.ts' },
  ],
});
