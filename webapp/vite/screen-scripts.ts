import type { Rollup } from 'vite';
import catalogue from '../../domain/catalogue/data/catalogue.json' with { type: 'json' };

/**
 * The names of the scripts of screens, by the screen's path. Screens in the app's first script are not listed. The
 * registration form also needs the regions of its default country.
 */
const screens: Record<string, string[]> = {
  '/vc-admin/diy/regform': ['Registration', catalogue.defaults.country],
  '/vc-admin/diy/registered': ['RegisteredScreen'],
  '/vc-admin/diy/payment': ['PaymentScreen'],
  '/vc-admin/diy/confirm': ['ConfirmScreen'],
  '/vc-admin/diy/cards': ['CardsScreen'],
  '/vc-admin/diy/pay': ['PayScreen'],
  '/vc-admin/diy/billing': ['BillingScreen'],
  '/vc-admin/diy/end': ['EndScreen'],
  '/vc-admin/diy/invoices': ['InvoicesScreen'],
  '/vc-admin/diy/details': ['DetailsScreen'],
  '/vc-admin/diy/contact': ['ContactDetails'],
  '/vc-admin/dash': ['SignInScreen'],
  '/vc-admin/auth/confirm': ['ConfirmRegistrationScreen'],
  '/vc-admin/auth/forgot': ['ForgotScreen'],
  '/vc-admin/auth/reset': ['ResetScreen'],
  '/vc-admin/auth/billing-email': ['ConfirmBillingEmailScreen'],
  '/vc-admin/auth/emails': ['EmailPreferencesScreen'],
};

/** The chunks and assets of a build. */
export type Bundle = Record<string, Chunk | { type: 'asset' }>;

type Chunk = Pick<Rollup.OutputChunk, 'type' | 'name' | 'imports' | 'isEntry'>;

/**
 * Returns the script files of each screen by path, without those that every page loads. Throws if a script is missing,
 * because then the list above is wrong.
 */
export function screenScripts(bundle: Bundle): Record<string, string[]> {
  const commonFiles = withImports(bundle, entryOf(bundle));
  return Object.fromEntries(
    Object.entries(screens).map(([path, names]) => {
      const files = names.flatMap((name) => [...withImports(bundle, fileOf(bundle, name))]);
      return [path, [...new Set(files)].filter((file) => !commonFiles.has(file))];
    }),
  );
}

function entryOf(bundle: Bundle): string {
  return findScript(bundle, 'the app', (chunk) => chunk.isEntry);
}

function fileOf(bundle: Bundle, name: string): string {
  return findScript(bundle, name, (chunk) => chunk.name === name);
}

function findScript(
  bundle: Bundle,
  description: string,
  matches: (chunk: Chunk) => boolean,
): string {
  const entry = Object.entries(bundle).find(([, file]) => file.type === 'chunk' && matches(file));
  if (!entry) throw new Error(`there is no script for ${description}`);
  return entry[0];
}

/** Returns a script and the scripts that it imports. */
function withImports(bundle: Bundle, file: string, files = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk' || files.has(file)) return files;
  files.add(file);
  for (const imported of chunk.imports) withImports(bundle, imported, files);
  return files;
}
