import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishableKey } from '../../stripe/support/stripe-server';

const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));
const basePath = '/vc-admin/diy/';

const contentTypes: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

interface StaticFile {
  type: string;
  content: Buffer | string;
}

/**
 * Returns the built file for a URL path: index.html for the dashboard and for paths of the area without a file
 * extension. Null for paths outside of the area and for missing files.
 */
export async function staticFile(path: string): Promise<StaticFile | null> {
  if (path !== '/vc-admin/dash' && !path.startsWith(basePath)) return null;
  const file = extname(path) ? path.slice(basePath.length) : 'index.html';
  try {
    const content = await readFile(dist + file);
    const type = contentTypes[extname(file)] ?? 'application/octet-stream';
    return { type, content: file === 'config.json' ? addPublishableKey(content) : content };
  } catch {
    return null;
  }
}

/** Returns the built configuration with the key of the fake Stripe API. A real build gets the key from its environment. */
function addPublishableKey(content: Buffer): string {
  const config = JSON.parse(content.toString());
  return JSON.stringify({ ...config, provider: { ...config.provider, publishableKey } });
}
