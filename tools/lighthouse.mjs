// Lets Lighthouse judge the screens a visitor sees first, as a phone and as a desktop, and prints
// the four scores of each.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { startServer } from './server.mjs';

const { resolve } = createRequire(new URL('../webapp/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { default: lighthouse, desktopConfig } = await load('lighthouse');
const { launch } = await load('chrome-launcher');

const screens = {
  plans: '/vc-admin/diy/plans?debug=true',
  registration: '/vc-admin/diy/regform?product=professional&currency=AUD&interval=yearly&debug=true',
  contact: '/vc-admin/diy/contact?product=enterprise&interval=yearly',
  'sign in': '/vc-admin/dash',
};
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const devices = { mobile: undefined, desktop: desktopConfig };

const server = await startServer();
const chrome = await launch({
  chromePath: process.env.DIY_CHROMIUM,
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-quic', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--no-first-run'],
});
try {
  process.stdout.write(`${'screen'.padEnd(24)}${categories.map((c) => c.padStart(16)).join('')}\n`);
  for (const [name, path] of Object.entries(screens)) {
    for (const [device, config] of Object.entries(devices)) {
      const options = { port: chrome.port, onlyCategories: categories, logLevel: 'error' };
      const { lhr } = await lighthouse(server.origin + path, options, config);
      const scores = categories.map((c) => String(Math.round(lhr.categories[c].score * 100)).padStart(16));
      process.stdout.write(`${`${name}, ${device}`.padEnd(24)}${scores.join('')}\n`);
      for (const a of Object.values(lhr.audits)) {
        if (process.env.DIY_DETAILS && a.score !== null && a.score < 1) process.stdout.write(`    ${a.id}: ${a.displayValue ?? a.title}\n`);
      }
    }
  }
} finally {
  await chrome.kill();
  await server.stop();
}
