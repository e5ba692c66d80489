import { expect, type Page } from '@playwright/test';
import type { Guard } from '../guard';
import type { Server } from '../server';

/** The objects that a test passes to a journey. */
export interface JourneyContext {
  server: Server;
  guard: Guard;
  /** Checks or captures the current screen. The names of its pictures start with `name`. */
  show(name: string): Promise<void>;
}

/** A path through the app that shows screens in all states that look different. */
export interface Journey {
  name: string;
  /** The settings of the server, if they differ from those of other tests. */
  settings?: Record<string, string>;
  run(page: Page, context: JourneyContext): Promise<void>;
}

/** Opens a path and waits for the screen's heading. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
}

/** Expects a text on the page. It may be for screen readers only. */
export const expectText = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeAttached();
