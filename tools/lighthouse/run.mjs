// Runs Lighthouse on a page.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { categories, createReport } from './figures.mjs';

const { resolve } = createRequire(new URL('../../webapp/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { default: lighthouse, desktopConfig } = await load('lighthouse');
const { launch } = await load('chrome-launcher');

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
  return { script: size, foreignScripts };
}

/** Measures a page: scores up to 100, times in milliseconds, script in bytes. */
export async function measurePage(chrome, url, config) {
  const options = { port: chrome.port, onlyCategories: categories, logLevel: 'error' };
  const lhr = await createReport(() => lighthouse(url, options, config));
  const audit = (id) => lhr.audits[id].numericValue;
  return {
    scores: categories.map((category) => Math.round(lhr.categories[category].score * 100)),
    paint: audit('first-contentful-paint'),
    largestPaint: audit('largest-contentful-paint'),
    blockingTime: audit('total-blocking-time'),
    shift: audit('cumulative-layout-shift'),
    ...(await measureScripts(lhr.audits['network-requests'].details.items, new URL(url).origin)),
    speed: lhr.environment.benchmarkIndex,
    findings: Object.values(lhr.audits).filter(({ score }) => score !== null && score < 1),
  };
}
