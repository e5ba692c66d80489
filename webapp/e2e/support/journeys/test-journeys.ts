import type { Page } from '@playwright/test';
import { Guard } from '../guard';
import { Server } from '../server';
import { expect, test } from '../test';
import { journeys } from '.';
import type { Journey } from './journey';

interface JourneyCheck {
  /** Runs before the first screen. */
  prepare: (page: Page) => Promise<void>;
  /** Checks the current screen. */
  show: (page: Page, screen: string) => Promise<void>;
  /** The names of the journeys to run; by default all. */
  only?: readonly string[];
}

/** Defines a test for each journey, which checks every screen. Journeys with settings have a server of their own. */
export function testJourneys(title: string, { prepare, show, only }: JourneyCheck): void {
  for (const { name, settings, run } of only?.map(journeyByName) ?? journeys) {
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

function journeyByName(name: string): Journey {
  const journey = journeys.find((candidate) => candidate.name === name);
  if (!journey) throw new Error(`There is no journey "${name}".`);
  return journey;
}
