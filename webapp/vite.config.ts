import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { axiosSubset } from './vite/axios-subset.ts';
import { countryRegions } from './vite/country-regions.ts';
import { currencyFlags } from './vite/currency-flags.ts';
import { precompress } from './vite/precompress.ts';
import { productionRouter } from './vite/production-router.ts';
import { screenPages } from './vite/screen-pages.ts';
import { screensOutsideBase } from './vite/screens-outside-base.ts';
import { writeStaticConfig } from './vite/static-config.ts';

const server = process.env.DIY_SERVER ?? 'http://localhost:8080';

/** Paths the development server forwards to the running Go server. */
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
    axiosSubset(),
    productionRouter(),
    screensOutsideBase(),
    screenPages(),
    precompress(),
    writeStaticConfig(process.env),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    manifest: true,
    // Keep images as files, which the browser caches and loads on demand.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The build copies public/.gitkeep back, which //go:embed needs before the first build.
    emptyOutDir: true,
    // The plans page has one script, and the other screens share further scripts. Few scripts need
    // fewer requests and compress better.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            {
              // The code that visitors need to register and sign in.
              name: 'forms',
              test: /\/src\/(api\/account|rules\/(address|contact|country|messages|password|text)|lib\/(storage|failure-message|use-countdown)|components\/(Field|FieldFrame|PasswordField|Select|SummaryPanel)|modules\/(billing\/(amount-text|offer|SelectedPlanBanner)|session\/(CookiesNotice|ForgotPasswordLink|navigation-state|password-rules|payer-email|ResendVerification|SessionFailure|SignInFailure|SignInForm)))\./,
              minShareCount: 2,
              priority: 1,
            },
            {
              // The code that the screens of a signed-in user share.
              name: 'account',
              test: /\/node_modules\/@tanstack\/|\/src\/(api|rules|lib\/(intl\/)?(?!use-regions\.)[^/]+$|components\/Badge\.|modules\/((config|session|billing)\/[^/]+\.ts$|payments\/(quote-text|queries)\.))/,
              minShareCount: 2,
            },
            {
              // The parts about payments that the dashboard shares with the screens of a purchase.
              name: 'payments',
              test: /\/src\/(components\/ChargeLine|modules\/(billing\/(BigAmount|PendingOrder)|payments\/(OwedInvoiceNotice|ProcessingPaymentNotice|SubscribeAgain|open-payment-notices|processing-text|use-quote)))\./,
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
    include: ['{src,dev}/**/*.test.{ts,tsx}', 'vite/**/*.test.ts'],
    // Style sheets are empty in tests, except in the test of styles.css.
    css: { include: [/styles\.css\?raw/] },
    // Starting a process for each file would take most of the time, so the files of a worker share a
    // process, and src/testing/setup.ts gives each file fresh modules. `forks` accepts V8 flags, and
    // more memory for new objects saves most of the garbage collection.
    pool: 'forks',
    execArgv: ['--max-semi-space-size=64'],
    isolate: false,
    maxWorkers: '100%',
    // Long, because a shared machine can be several times slower than a developer's.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
