import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { countryRegions } from './vite/country-regions.ts';
import { currencyFlags } from './vite/currency-flags.ts';
import { dashboardInDev } from './vite/dashboard-in-dev.ts';
import { precompress } from './vite/precompress.ts';
import { screenPages } from './vite/screen-pages.ts';

const server = process.env.DIY_SERVER ?? 'http://127.0.0.1:8080';

/** Everything that is not the web app itself is answered by the running Go server. */
const proxied = [
  '^/vc-admin/diy/config\\.json',
  '^/vc-admin/(user|org|auth|user-diy)/',
  '^/vc-admin/signup',
  '^/auth/',
  '^/dev/',
  '^/$',
];

export default defineConfig({
  base: '/vc-admin/diy/',
  plugins: [
    react(),
    tailwindcss(),
    currencyFlags(),
    countryRegions(),
    dashboardInDev(),
    screenPages(),
    precompress(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    manifest: true,
    // Pictures stay files: the page's policy is the tighter for it, and nothing loads unseen.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // public/.gitkeep is copied along, so that emptying the folder never loses the keep file that
    // lets the Go code compile before the first build.
    emptyOutDir: true,
    // What the plans page needs is one script, as is the little that the other screens share: one
    // packs and travels better than several.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            {
              name: 'shared',
              test: /\/src\/(rules|ui|features\/(plans|payment\/offer|registration\/PasswordField))/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, { target: server }])) },
  test: {
    globals: true,
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/vc-admin/diy/plans' } },
    setupFiles: ['./src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'vite/**/*.test.ts'],
    // Style sheets are empty in tests, except for the test that computes their contrasts.
    css: { include: [/styles\.css\?raw/] },
    restoreMocks: true,
    // Threads begin sooner than processes do, and nobody else is at work on the machine meanwhile.
    pool: 'threads',
    maxWorkers: '100%',
    testTimeout: 20_000,
  },
});
