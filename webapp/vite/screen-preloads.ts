import type { Plugin, Rollup } from 'vite';

/** The addresses of the screens that are loaded when they are first shown, and what shows them. */
const screens: Record<string, string> = {
  '/vc-admin/diy/regform': 'RegistrationScreen',
  '/vc-admin/diy/registered': 'RegisteredScreen',
  '/vc-admin/diy/payment': 'PaymentScreen',
  '/vc-admin/diy/confirm': 'ConfirmScreen',
  '/vc-admin/diy/cards': 'CardsScreen',
  '/vc-admin/diy/contact': 'ContactScreen',
  '/vc-admin/dash': 'DashboardScreen',
};

type Bundle = Record<
  string,
  Pick<Rollup.OutputChunk, 'type' | 'name' | 'imports'> | { type: 'asset' }
>;

/**
 * The scripts that each screen needs besides the one every screen has. A screen without a script
 * is a mistake in the list above.
 */
export function preloadsOf(bundle: Bundle, common: string): Record<string, string[]> {
  const fileOf = (screen: string) => {
    const found = Object.entries(bundle).find(
      ([, chunk]) => chunk.type === 'chunk' && chunk.name === screen,
    );
    if (!found) throw new Error(`there is no script for ${screen}`);
    return found[0];
  };
  return Object.fromEntries(
    Object.entries(screens).map(([address, screen]) => [
      address,
      [...needed(bundle, fileOf(screen))].filter((file) => file !== common),
    ]),
  );
}

function needed(bundle: Bundle, file: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk' || found.has(file)) return found;
  found.add(file);
  for (const imported of chunk.imports) needed(bundle, imported, found);
  return found;
}

/**
 * Writes screens.json, by which the server tells a browser at once which scripts the screen will
 * need, instead of letting it find out when the first one has run.
 */
export function screenPreloads(): Plugin {
  return {
    name: 'screen-preloads',
    apply: 'build',
    generateBundle(_options, bundle) {
      const common = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
      if (!common) throw new Error('there is no entry');
      const source = JSON.stringify(preloadsOf(bundle as Bundle, common.fileName), null, 2);
      this.emitFile({ type: 'asset', fileName: 'screens.json', source });
    },
  };
}
