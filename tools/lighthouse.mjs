// Lets Lighthouse judge the screens a visitor sees first, as a phone and as a desktop, three times
// each; prints the middle of every figure, and fails when one misses what it is held to. With
// DIY_DETAILS set it tells what each run found, too.
import { availableParallelism, loadavg } from 'node:os';
import { middleOf, missedBy, screens } from './lighthouse/figures.mjs';
import { devices, run, startChrome } from './lighthouse/run.mjs';
import { startServer } from './server.mjs';

const runs = 3;
const print = (line) => process.stdout.write(`${line}\n`);
const columns = ['perf', 'a11y', 'best', 'seo', 'paint', 'LCP', 'TBT', 'shift', 'script', 'speed'];
const row = (name, cells) => name.padEnd(22) + cells.map((cell) => String(cell).padStart(9)).join('');
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

const cells = ({ scores, paint, largest, blocked, shift, script, speed }) => [
  ...scores,
  seconds(paint),
  seconds(largest),
  `${blocked.toFixed(0)} ms`,
  shift.toFixed(3),
  `${(script / 1000).toFixed(1)} kB`,
  speed.toFixed(0),
];

async function measure(chrome, url, config) {
  const all = [];
  while (all.length < runs) all.push(await run(chrome, url, config));
  if (process.env.DIY_DETAILS) {
    for (const { findings } of all) {
      for (const { id, displayValue, title } of findings) print(`    ${id}: ${displayValue ?? title}`);
    }
  }
  return middleOf(all);
}

const [busy] = loadavg();
const processors = availableParallelism();
const missed = [];
const server = await startServer();
const chrome = await startChrome();
try {
  print(row('screen', columns));
  for (const screen of screens) {
    for (const [device, config] of Object.entries(devices)) {
      const name = `${screen.name}, ${device}`;
      const figures = await measure(chrome, server.origin + screen.path, config);
      print(row(name, cells(figures)));
      missed.push(...missedBy(screen, figures).map((what) => `${name}: ${what}`));
    }
  }
} finally {
  await chrome.kill();
  await server.stop();
}

print(`The middle of ${runs} runs. Script is what came, gzipped; speed is Lighthouse's own figure for this machine.`);
if (busy > processors / 2) {
  print(`The machine was busy (load ${busy.toFixed(1)} on ${processors} processors): performance is better than it says here.`);
}
for (const line of missed) print(`MISSED  ${line}`);
print(missed.length === 0 ? 'Lighthouse: everything is kept to.' : `Lighthouse: ${missed.length} figures are missed.`);
process.exitCode = missed.length === 0 ? 0 : 1;
