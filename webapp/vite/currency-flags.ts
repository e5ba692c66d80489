import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const virtualId = 'virtual:currency-flags';
const resolvedId = `\0${virtualId}`;
const fallback = 'fallback';

/** Returns the pictures of the currency-flags package by lower-case currency code or 'fallback'. */
export function readFlags(): Map<string, Buffer> {
  const path = createRequire(import.meta.url).resolve('currency-flags/dist/currency-flags.css');
  const rulePattern =
    /\.currency-flag(?:\.currency-flag-([a-z]{3}))?\s*\{[^}]*url\('data:image\/png;base64,([^']+)'\)/g;
  const flags = new Map<string, Buffer>();
  for (const [, code = fallback, data = ''] of readFileSync(path, 'utf8').matchAll(rulePattern)) {
    flags.set(code, Buffer.from(data, 'base64'));
  }
  return flags;
}

/**
 * Emits one picture per currency at build time, so that no picture is committed and a page loads only the pictures
 * that it shows. `virtual:currency-flags` exports their folder and the known codes. The folder's name changes
 * with the content, so that the pictures can be cached without expiry.
 */
export function currencyFlags(): Plugin {
  const flags = readFlags();
  const digest = createHash('sha256');
  for (const picture of flags.values()) digest.update(picture);
  const folder = `assets/flags-${digest.digest('hex').slice(0, 8)}`;
  const codes = [...flags.keys()].filter((code) => code !== fallback);
  let base = '/';
  return {
    name: 'currency-flags',
    configResolved(config) {
      base = config.base;
    },
    resolveId: (id) => (id === virtualId ? resolvedId : undefined),
    load: (id) =>
      id === resolvedId
        ? `export const folder = '${base}${folder}';\nexport const codes = '${codes.join(' ')}';`
        : undefined,
    buildStart() {
      if (flags.size < 100)
        this.error('the style sheet of currency-flags has fewer than 100 flags');
    },
    generateBundle() {
      for (const [code, source] of flags) {
        this.emitFile({ type: 'asset', fileName: `${folder}/${code}.png`, source });
      }
    },
    configureServer(server) {
      server.middlewares.use(`${base}${folder}`, (request, response, next) => {
        const picture = flags.get(request.url?.replace(/^\/|\.png$/g, '') ?? '');
        if (!picture) return next();
        response.setHeader('Content-Type', 'image/png');
        response.end(picture);
      });
    },
  };
}
