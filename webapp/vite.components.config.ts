import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { countryRegions } from './vite/country-regions.ts';
import { currencyFlags } from './vite/currency-flags.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Builds the page /dev/components, which the Go server serves in development only. It is a build of its own, so
 * that the scripts and styles of the app do not depend on it.
 */
export default defineConfig({
  root: path('./dev/components'),
  base: '/dev/components/',
  // Copies .gitkeep, which //go:embed needs before the first build.
  publicDir: path('./public'),
  plugins: [react(), tailwindcss(), currencyFlags(), countryRegions()],
  resolve: {
    alias: [
      { find: /^@\/api$/, replacement: path('./dev/components/api.ts') },
      { find: '@', replacement: path('./src') },
    ],
  },
  build: {
    outDir: path('./dist-dev'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
  },
});
