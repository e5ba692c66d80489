import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { indicesOf, paletteOf } from './pictures/palette';
import { readPNG, writePNG } from './pictures/png';
import { test } from './support/test';
import { visits } from './support/visits';

const folder = fileURLToPath(new URL('../../testdata/screens/', import.meta.url));

/** The screens that are shown in the dark as well. */
const dark = ['plans', 'regform', 'payment', 'dashboard-trial'];

/** Stores a picture at about a third of its size, by writing it with a palette. */
function store(name: string, screenshot: Buffer): void {
  const { width, colours } = readPNG(screenshot);
  const palette = paletteOf(colours);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${name}.png`, writePNG(width, indicesOf(colours, palette), palette));
}

for (const { name, open } of visits) {
  for (const width of [1280, 375]) {
    for (const scheme of ['light', 'dark'] as const) {
      if (scheme === 'dark' && !dark.includes(name)) continue;
      test(`${name} at ${width}, ${scheme}`, async ({ page, server, guard }) => {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await open(page, { server, guard });
        const suffix = scheme === 'dark' ? '-dark' : '';
        // What a dialog covers ends with the window, so the picture does, too.
        const fullPage = (await page.locator('dialog:modal').count()) === 0;
        store(`${name}-${width}${suffix}`, await page.screenshot({ fullPage }));
      });
    }
  }
}
