// Runs Lighthouse on a page.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { categories, runLighthouse } from './figures.mjs';

const { resolve } = createRequire(new URL('../../webapp/package.json', import.meta.url));
const importFromWebapp = (name) => import(pathToFileURL(resolve(name)).href);
const { default: lighthouse, desktopConfig } = await importFromWebapp('lighthouse');
const { launch } = await importFromWebapp('chrome-launcher');

/** The Lighthouse configurations. The default configuration emulates a slow phone on a slow network. */
export const devices = { mobile: undefined, desktop: desktopConfig };

export const startChrome = () =>
  launch({
    chromePath: process.env.DIY_CHROMIUM,
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-quic', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--no-first-run'],
  });

/** Returns the gzipped size of a page's scripts, and the scripts of other origins. */
async function measureScripts(requests, origin) {
  const urls = requests.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url);
  const foreignScripts = urls.filter((url) => new URL(url).origin !== origin);
  let size = 0;
  for (const url of urls.filter((script) => !foreignScripts.includes(script))) {
    const code = await (await fetch(url)).text();
    size += gzipSync(code).length;
    if (code.includes('js.stripe.com')) foreignScripts.push(url);
  }
  return { scriptBytes: size, foreignScripts };
}

/** Measures a page: scores up to 100, times in milliseconds, script in bytes. */
export async function measurePage(chrome, url, config) {
  const options = { port: chrome.port, onlyCategories: categories, logLevel: 'error' };
  const lhr = await runLighthouse(() => lighthouse(url, options, config));
  const auditValue = (id) => lhr.audits[id].numericValue;
  return {
    scores: categories.map((category) => Math.round(lhr.categories[category].score * 100)),
    paint: auditValue('first-contentful-paint'),
    largestPaint: auditValue('largest-contentful-paint'),
    blockingTime: auditValue('total-blocking-time'),
    layoutShift: auditValue('cumulative-layout-shift'),
    ...(await measureScripts(lhr.audits['network-requests'].details.items, new URL(url).origin)),
    benchmarkIndex: lhr.environment.benchmarkIndex,
    findings: Object.values(lhr.audits).filter(({ score }) => score !== null && score < 1),
  };
}
