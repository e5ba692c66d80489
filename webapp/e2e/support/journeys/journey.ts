import { expect, type Page } from '@playwright/test';
import type { Guard } from '../guard';
import type { Server } from '../server';

interface JourneyContext {
  server: Server;
  guard: Guard;
  /** Called at each screen, with the name of its pictures. */
  show(name: string): Promise<void>;
}

/** A path through the app that visits screens in each state that looks different. */
export interface Journey {
  name: string;
  /** The server's settings beside the usual ones. */
  settings?: Record<string, string>;
  run(page: Page, context: JourneyContext): Promise<void>;
}

/** Opens an address and waits for the screen's heading. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
}

/** Expects the text on the page, visible or for screen readers. */
export const expectText = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeAttached();
