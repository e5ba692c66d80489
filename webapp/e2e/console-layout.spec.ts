import { waitForAnimations } from './support/animations';
import { getLicenses, signInOnTrial } from './support/api';
import { injectAxe, violations } from './support/axe';
import { controlsWithoutOutline } from './support/focus';
import { emulateViewport, sidewaysScroll, type Viewport } from './support/layout';
import { expect, test } from './support/test';

const viewports: Record<string, Viewport> = {
  '1280 pixels wide': { width: 1280, height: 800 },
  '375 pixels wide': { width: 375, height: 800 },
  '320 pixels wide with text of 200 %': { width: 320, height: 800, textZoom: 2 },
};

test('the operator console is accessible on wide and small screens in both colour schemes', async ({
  page,
  guard,
}) => {
  const { email } = await signInOnTrial(page);
  const { orgId } = await getLicenses(page.request);
  guard.expect(404, '/console/organisations/org_unknown');
  const paths = [
    '/console',
    `/console/search?q=${encodeURIComponent(email)}`,
    '/console/search?q=unknown',
    `/console/organisations/${orgId}`,
    '/console/organisations/org_unknown',
    '/console/attention',
    '/console/work',
    '/console/audit',
  ];
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
});
