import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Builds with React Router's production files. Its package exports the development files, which have more warnings. */
export function productionRouter(): Plugin {
  const path = '../node_modules/react-router/dist/production/index.mjs';
  const replacement = fileURLToPath(new URL(path, import.meta.url));
  return {
    name: 'production-router',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^react-router$/, replacement }] } }),
  };
}
