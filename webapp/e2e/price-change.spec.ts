import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInOnTrial } from './support/api';
import { goToConfirm, planPanel } from './support/confirm';
import { advanceClock } from './support/dev';
import { planCard, standard } from './support/plans';
import { Server } from './support/server';
import { test as base, expect } from './support/test';

const embeddedCatalogueUrl = new URL('../../domain/catalogue/data/catalogue.json', import.meta.url);

interface PriceFixtures {
  server: Server;
  /** Sets the yearly price of Professional in AUD and restarts the server. */
  setPrice: (yearly: number) => Promise<void>;
}

/** A test that can change the catalogue of its server. */
const test = base.extend<object, PriceFixtures & { cataloguePath: string }>({
  cataloguePath: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'diy-catalogue-'));
      await use(join(folder, 'catalogue.json'));
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ cataloguePath }, use) => {
      await writeFile(cataloguePath, await readFile(embeddedCatalogueUrl));
      const server = await Server.start({ DIY_CATALOGUE: cataloguePath });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  setPrice: [
    async ({ cataloguePath, server }, use) => {
      await use(async (yearly) => {
        const text = await readFile(embeddedCatalogueUrl, 'utf8');
        await writeFile(cataloguePath, text.replace('"yearly": 816}', `"yearly": ${yearly}}`));
        await server.restart();
      });
    },
    { scope: 'worker' },
  ],
});

test('after a price change the screens of a customer show the price of the existing subscription', async ({
  page,
  setPrice,
}) => {
  await signInOnTrial(page);
  await setPrice(999);

  await page.goto('/vc-admin/dash');
  await expect(page.getByText('Yearly, $816 AUD per year')).toBeVisible();

  await page.goto('/vc-admin/diy/plans?debug=true');
  await expect(planCard(page, 'Professional')).toContainText('$816 paid annually');
  await page.getByRole('radio', { name: 'Monthly billing' }).check();
  await expect(planCard(page, 'Professional')).toContainText('$912 paid annually');

  await goToConfirm(page, standard);
  await expect(planPanel(page, 'CURRENT PLAN')).toContainText('$816.00 AUD per year');

  await page.goto('/vc-admin/dash');
  await expect(page.getByRole('region', { name: 'Professional' })).toContainText(
    /Next charge\$816 AUDon/,
  );
  await advanceClock(page.request, '169h'); // the trial of seven days ends, and the plan is charged
  await page.goto('/vc-admin/diy/invoices');
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Professional' }).first(),
  ).toContainText('$816');
});
