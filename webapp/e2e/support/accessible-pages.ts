import { expect, type Page } from '@playwright/test';
import { waitForAnimations } from './animations';
import { injectAxe, violations } from './axe';
import { controlsWithoutOutline } from './focus';
import { emulateViewport, sidewaysScroll, type Viewport } from './layout';

const viewports: Record<string, Viewport> = {
  '1280 pixels wide': { width: 1280, height: 800 },
  '375 pixels wide': { width: 375, height: 800 },
  '320 pixels wide with text of 200 %': { width: 320, height: 800, textZoom: 2 },
};

/** Opens pages and expects them to be accessible, on wide and small screens in both colour schemes. */
export async function expectAccessiblePages(page: Page, ...paths: string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await injectAxe(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const [size, viewport] of Object.entries(viewports)) {
        await emulateViewport(page, viewport);
        await waitForAnimations(page);
        const name = `${path}, ${size}, ${colorScheme}`;
        expect.soft(await violations(page), `${name}: axe`).toEqual([]);
        expect.soft(await sidewaysScroll(page), `${name}: scrolls sideways`).toBe(0);
        expect.soft(await controlsWithoutOutline(page), `${name}: focus`).toEqual([]);
      }
    }
  }
}
