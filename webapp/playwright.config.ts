import { defineConfig } from '@playwright/test';

/** Debian's Chromium, as it runs in a container; the flags disable its background requests. */
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
  // One worker more than a small machine has processors, because tests wait for pages.
  workers: 3,
  // A test that passes on the second attempt is listed as flaky.
  retries: process.env.CI === 'true' ? 1 : 0,
  // Long, because a shared machine can be several times slower than a developer's.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    // Recording traces takes longer than the tests. ARGS='--trace retain-on-failure' switches it on.
    trace: 'off',
    launchOptions,
  },
  projects: [
    { name: 'chromium', testMatch: '**/*.spec.ts', testIgnore: '**/e2e/stripe/**' },
    // With the Stripe adapter, against the local Stripe API.
    { name: 'stripe', testDir: 'e2e/stripe' },
    // Captures the screens (make screens); these are not tests.
    { name: 'screens', testMatch: '**/screens.ts' },
  ],
});
