import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * APIs that a browser can lack or deny, with the modules that may use them. These modules have a fallback. `null` lists APIs
 * that the app does not use: add a module with a fallback before the first use.
 */
const optionalApis: [api: RegExp, modules: string[] | null][] = [
  [/\bBroadcastChannel\b/, ['lib/tab-channel.ts']],
  [/\b(local|session)Storage\b(?!')|window\[/, ['lib/storage.ts']],
  [/document\s*\.\s*cookie\b/, ['api/cookies.ts']],
  [
    /\bnavigator\b/,
    ['api/cookies.ts', 'lib/clipboard.ts', 'lib/intl/locales.ts', 'lib/passkeys.ts'],
  ],
  [/\bmatchMedia\b/, ['lib/media-query.ts']],
  [
    /\bIntl\b/,
    [
      'api/decode.ts',
      'lib/intl/currency-format.ts',
      'lib/intl/date-format.ts',
      'lib/intl/iso-date.ts',
      'lib/intl/names.ts',
      'lib/intl/time-of-day.ts',
    ],
  ],
  [/\.(toLocale\w+|localeCompare)\(/, null],
  [/\.(showModal|close)\((?!\))|\bshowModal\b/, ['lib/dialog.ts']],
  [/\bcreateObjectURL\b/, ['lib/save-file.ts']],
  [/\bhistory\.\w*State\b/, ['lib/guard-history.ts']],
  [/\b(Abort(Signal|Controller)|PublicKeyCredential)\b/, ['lib/passkeys.ts']],
  [/\bResizeObserver\b/, null],
  [/\bcrypto\./, ['modules/payments/card-provider/cardgateway/card-gateway-provider.tsx']],
  [/\b(structuredClone|requestIdleCallback|IntersectionObserver|indexedDB)\b/, null],
  [/\b(showPopover|startViewTransition|cookieStore|caches|performance)\b/, null],
  [/\b(CSS\.supports|new Worker|SharedWorker|Notification\()/, null],
];

const sourceFolder = join(import.meta.dirname, '..');

/** The source files of the app without tests and comments, by path. */
const sources = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.(test|gen)\.|testing/.test(path))
  .map((path): [path: string, code: string] => [
    path,
    readFileSync(join(sourceFolder, path), 'utf8').replace(
      /\/\*[\s\S]*?\*\/|^\s*\/\/.*|\s\/\/ .*$/gm,
      '',
    ),
  ]);

it.each(optionalApis)('%s is used in its module only', (api, modules) => {
  const users = sources.filter(([, code]) => api.test(code)).map(([path]) => path);
  expect(users.toSorted()).toEqual(modules ?? []);
});
