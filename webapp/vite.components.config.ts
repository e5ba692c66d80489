import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { countryRegions } from './vite/country-regions.ts';
import { currencyFlags } from './vite/currency-flags.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Builds the page /dev/components, which the Go server serves in development only. It is a separate build,
 * so that the scripts and styles of the app do not depend on it.
 */
export default defineConfig({
  root: pathOf('./dev/components'),
  base: '/dev/components/',
  // Copies .gitkeep, which //go:embed needs before the first build.
  publicDir: pathOf('./public'),
  plugins: [react(), tailwindcss(), currencyFlags(), countryRegions()],
  resolve: {
    alias: [
      { find: /^@\/api$/, replacement: pathOf('./dev/components/api.ts') },
      { find: /^@\/api\/activity$/, replacement: pathOf('./dev/components/activity.ts') },
      { find: /^@\/api\/passkeys$/, replacement: pathOf('./dev/components/passkeys.ts') },
      { find: /^@\/api\/privacy$/, replacement: pathOf('./dev/components/privacy.ts') },
      { find: '@', replacement: pathOf('./src') },
    ],
  },
  build: {
    outDir: pathOf('./dist-dev'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
