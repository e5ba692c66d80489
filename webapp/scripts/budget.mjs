// Checks that the plans page loads at most 120 kB of script, gzipped, and no script of Stripe. Run it
// after `npm run build`.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const limit = 120_000;
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

/** Returns the manifest names of a script and of all scripts that it imports statically. */
function withImports(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const imported of manifest[name].imports ?? []) withImports(imported, seen);
  return seen;
}

/** The scripts of the plans page and of its footer, which is loaded after the first paint. */
const scripts = [...withImports('src/app/Footer.tsx', withImports('index.html'))].map((name) => {
  const { file } = manifest[name];
  const code = readFileSync(new URL(file, dist));
  return { file, size: gzipSync(code).length, loadsStripe: code.includes('js.stripe.com') };
});

for (const { file, size } of scripts) console.log(`${String(size).padStart(7)}  ${file}`);
const total = scripts.reduce((sum, { size }) => sum + size, 0);
console.log(`${String(total).padStart(7)}  of ${limit} bytes`);

const stripeScripts = scripts.filter(({ loadsStripe }) => loadsStripe).map(({ file }) => file);
if (stripeScripts.length > 0)
  console.error(`The plans page loads Stripe's script: ${stripeScripts}`);
if (total > limit) console.error('The plans page exceeds the script budget');
process.exitCode = total > limit || stripeScripts.length > 0 ? 1 : 0;
