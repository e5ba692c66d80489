import type { Rollup } from 'vite';
import catalogue from '../../domain/catalogue/data/catalogue.json' with { type: 'json' };

/**
 * The scripts of the screens that are not in the app's first script, by the screen's address. The registration
 * form also needs the regions of its default country.
 */
const screens: Record<string, string[]> = {
  '/vc-admin/diy/regform': ['RegistrationScreen', catalogue.defaults.country],
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
  '/vc-admin/dash': ['DashboardScreen'],
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
 * Returns the scripts of each screen in addition to those of every page, by address. Throws when a screen has no
 * script, because then the list above is wrong.
 */
export function screenScripts(bundle: Bundle): Record<string, string[]> {
  const common = withImports(bundle, entryOf(bundle));
  return Object.fromEntries(
    Object.entries(screens).map(([address, names]) => {
      const files = names.flatMap((name) => [...withImports(bundle, fileOf(bundle, name))]);
      return [address, [...new Set(files)].filter((file) => !common.has(file))];
    }),
  );
}

function entryOf(bundle: Bundle): string {
  return find(bundle, 'the app', (chunk) => chunk.isEntry);
}

function fileOf(bundle: Bundle, name: string): string {
  return find(bundle, name, (chunk) => chunk.name === name);
}

function find(bundle: Bundle, description: string, matches: (chunk: Chunk) => boolean): string {
  const found = Object.entries(bundle).find(([, file]) => file.type === 'chunk' && matches(file));
  if (!found) throw new Error(`there is no script for ${description}`);
  return found[0];
}

/** Returns a script and the scripts that it imports. */
function withImports(bundle: Bundle, file: string, files = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk' || files.has(file)) return files;
  files.add(file);
  for (const imported of chunk.imports) withImports(bundle, imported, files);
  return files;
}
