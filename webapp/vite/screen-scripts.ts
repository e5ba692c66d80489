import type { Rollup } from 'vite';
import catalogue from '../../domain/catalogue/data/catalogue.json' with { type: 'json' };
import { routes } from '../src/lib/paths.ts';

/** The names of the scripts of screens whose route is in src/app/SecondaryRoutes.tsx, by the screen's path. */
const secondaryScreens: Record<string, string> = {
  [routes.registered]: 'RegisteredScreen',
  [routes.payment]: 'PaymentScreen',
  [routes.confirm]: 'ConfirmScreen',
  [routes.cards]: 'CardsScreen',
  [routes.pay]: 'PayScreen',
  [routes.end]: 'EndScreen',
  [routes.invoices]: 'InvoicesScreen',
  [routes.details]: 'DetailsScreen',
  [routes.account]: 'UserAccountScreen',
  [routes.members]: 'MembersScreen',
  [routes.invitation]: 'InvitationScreen',
  [routes.confirmRegistration]: 'ConfirmRegistrationScreen',
  [routes.forgot]: 'ForgotScreen',
  [routes.reset]: 'ResetScreen',
  [routes.confirmBillingEmail]: 'ConfirmBillingEmailScreen',
  [routes.confirmEmail]: 'ConfirmEmailScreen',
  [routes.undo]: 'UndoScreen',
  [routes.emailPreferences]: 'EmailPreferencesScreen',
};

/**
 * The names of the scripts of screens, by the screen's path. Other parts of screens are in the app's first script. The
 * registration form also needs the regions of its default country.
 */
const scriptNames: Record<string, string[]> = {
  [routes.regform]: ['Registration', catalogue.defaults.country],
  [routes.contact]: ['ContactDetails'],
  [routes.dash]: ['SignInScreen'],
  ...Object.fromEntries(
    Object.entries(secondaryScreens).map(([path, name]) => [path, ['SecondaryRoutes', name]]),
  ),
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
    Object.entries(scriptNames).map(([path, names]) => {
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
