// Runs Lighthouse on the screens that visitors see first, on mobile and desktop, three times each. Prints
// the median of every figure and fails when one misses its target. DIY_DETAILS=1 prints the findings of
// each run as well.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { medianFigures, listMissedTargets, screens } from './figures.mjs';
import { devices, measurePage, startChrome } from './run.mjs';

const runCount = 3;
const print = (line) => process.stdout.write(`${line}\n`);
const columns = ['perf', 'a11y', 'best', 'seo', 'paint', 'LCP', 'TBT', 'shift', 'script', 'speed'];
const formatRow = (name, cells) => name.padEnd(22) + cells.map((cell) => String(cell).padStart(9)).join('');
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

const formatCells = ({ scores, paint, largestPaint, blockingTime, layoutShift, scriptBytes, benchmarkIndex }) => [
  ...scores,
  seconds(paint),
  seconds(largestPaint),
  `${blockingTime.toFixed(0)} ms`,
  layoutShift.toFixed(3),
  `${(scriptBytes / 1000).toFixed(1)} kB`,
  benchmarkIndex.toFixed(0),
];

/** Waits until the server logs its address. */
async function waitForAddress(server) {
  for await (const line of createInterface({ input: server.stderr })) {
    const entry = JSON.parse(line);
    if (entry.msg === 'listening') return entry.addr;
  }
  throw new Error('the server exited before it listened');
}

/** Starts bin/diy on a free port with a temporary database. */
async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), 'diy-measure-'));
  const server = spawn('bin/diy', ['serve'], {
    env: { DIY_ADDR: '127.0.0.1:0', DIY_DATABASE_URL: `sqlite:${join(folder, 'diy.db')}` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const origin = `http://${await waitForAddress(server)}`;
  server.stderr.resume();
  async function stop() {
    server.kill();
    await once(server, 'exit');
    await rm(folder, { recursive: true });
  }
  return { origin, stop };
}

async function measureMedians(chrome, url, config) {
  const results = [];
  while (results.length < runCount) results.push(await measurePage(chrome, url, config));
  if (process.env.DIY_DETAILS) {
    for (const { findings } of results) {
      for (const { id, displayValue, title } of findings) print(`    ${id}: ${displayValue ?? title}`);
    }
  }
  return medianFigures(results);
}

const [load] = loadavg();
const processors = availableParallelism();
const misses = [];
const server = await startServer();
const chrome = await startChrome();
try {
  print(formatRow('screen', columns));
  for (const screen of screens) {
    for (const [device, config] of Object.entries(devices)) {
      const name = `${screen.name}, ${device}`;
      const figures = await measureMedians(chrome, server.origin + screen.path, config);
      print(formatRow(name, formatCells(figures)));
      misses.push(...listMissedTargets(screen, figures).map((target) => `${name}: ${target}`));
    }
  }
} finally {
  await chrome.kill();
  await server.stop();
}

print(`Medians of ${runCount} runs. Script is gzipped; speed is Lighthouse's benchmark index of this machine.`);
if (load > processors / 2) {
  print(`The machine was busy (load ${load.toFixed(1)} on ${processors} processors), so the performance scores are too low.`);
}
for (const line of misses) print(`MISSED  ${line}`);
print(misses.length === 0 ? 'Lighthouse: all targets are met.' : `Lighthouse: ${misses.length} targets are missed.`);
process.exitCode = misses.length === 0 ? 0 : 1;
