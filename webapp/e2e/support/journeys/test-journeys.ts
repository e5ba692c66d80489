import type { Page } from '@playwright/test';
import { Guard } from '../guard';
import { Server } from '../server';
import { expect, test } from '../test';
import { journeys } from '.';

interface JourneyCheck {
  /** Runs before the first screen. */
  prepare: (page: Page) => Promise<void>;
  /** Checks the current screen. */
  show: (page: Page, screen: string) => Promise<void>;
}

/** Defines a test for each journey, which checks every screen. Journeys with settings have a server of their own. */
export function testJourneys(title: string, { prepare, show }: JourneyCheck): void {
  for (const { name, settings, run } of journeys) {
    if (settings) {
      test(`${title}: ${name}`, async ({ browser }) => {
        const server = await Server.start(settings);
        const page = await browser.newPage({ baseURL: server.url });
        const guard = new Guard(page);
        await prepare(page);
        await run(page, { server, guard, show: (screen) => show(page, screen) });
        expect(guard.problems).toEqual([]);
        await page.close();
        await server.stop();
      });
    } else {
      test(`${title}: ${name}`, async ({ page, server, guard }) => {
        await prepare(page);
        await run(page, { server, guard, show: (screen) => show(page, screen) });
      });
    }
  }
}
