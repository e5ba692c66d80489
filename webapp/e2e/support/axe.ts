import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import { waitForAnimations } from './animations';
import { sidewaysScroll } from './layout';

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary: string }[];
}

interface Axe {
  run(context: Document, options: object): Promise<{ violations: Violation[] }>;
}

// @axe-core/playwright would also return the passed rules, which takes three times as long.
const { resolve } = createRequire(import.meta.url);
const axePath = createRequire(resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js');
const axeSource = readFileSync(axePath, 'utf8');

/** Loads axe, which `violations` uses, into the document unless it is loaded. */
export async function injectAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
}

/** Selects the rules of axe. By default axe checks all rules. */
export interface AxeRules {
  only?: string[];
  except?: string[];
}

/** Returns the violations of the selected rules. */
export async function violations(page: Page, rules: AxeRules = {}): Promise<object[]> {
  const { only, except = [] } = rules;
  const options = {
    resultTypes: ['violations'],
    preload: false, // only experimental rules read the style sheets
    ...(only && { runOnly: only }),
    rules: Object.fromEntries(except.map((rule) => [rule, { enabled: false }])),
  };
  return page.evaluate(async (runOptions) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, runOptions);
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    }));
  }, options);
}

/** Requires that the page fits 320 pixels and violates no rule of axe there. Restores the viewport. */
export async function expectAccessibleAt320(page: Page): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await sidewaysScroll(page)).toBe(0);
  await injectAxe(page);
  await waitForAnimations(page); // the contrast of a button is measured after its transition
  expect(await violations(page)).toEqual([]);
  if (size) await page.setViewportSize(size);
}
