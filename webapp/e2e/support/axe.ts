import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

interface Axe {
  run(where: Document, options: object): Promise<{ violations: Violation[] }>;
}

// The package's own way hands over all that is right with a page, too, and takes three times as long.
const { resolve } = createRequire(import.meta.url);
const { source } = createRequire(resolve('@axe-core/playwright'))('axe-core');

/** Makes the page ready to be asked for its violations. */
export async function bringAxe(page: Page): Promise<void> {
  await page.evaluate(source);
}

/** What axe finds, short enough to read: by all its rules, or by these. */
export async function violations(page: Page, ...rules: string[]): Promise<object[]> {
  const options = {
    resultTypes: ['violations'],
    ...(rules.length > 0 && { runOnly: rules }),
  };
  return page.evaluate(async (asked) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, asked);
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }));
  }, options);
}
