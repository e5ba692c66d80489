import { type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import { currencyFlags } from './currency-flags.ts';
import { type Bundle, screenScripts } from './screen-scripts.ts';

/** Markup by a screen's address. */
type FirstPaints = Record<string, string>;

const place = '<!-- first paint -->';

/** What a page holds more than index.html. */
interface Additions {
  /** Scripts to preload. */
  scripts: string[];
  /** What shows before the app's script runs. */
  paint?: string;
}

/**
 * A screen's page, made from index.html. No script holds up what the page shows already, so the
 * style sheet goes before all of them.
 */
export function pageOf(index: string, { scripts, paint = '' }: Additions): string {
  if (!index.includes(place)) throw new Error(`index.html has no ${place}`);
  const preloads = scripts.map(
    (file) => `    <link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">\n`,
  );
  return index
    .replace('<script type="module"', '<script type="module" fetchpriority="low"')
    .replace(/ *<\/head>/, (head) => preloads.join('') + head)
    .replace(place, () => paint);
}

/**
 * Writes screens.json, every screen's page by its address, for the server to answer with: what the
 * app shows first stands in it, and a browser learns at once which scripts the screen will need,
 * instead of finding out when the first one has run.
 */
export function screenPages(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'screen-pages',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
    },
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('there is no index.html');
      const pages = pagesOf(String(index.source), bundle, await firstPaints(config), config.base);
      index.source = pages.index;
      const source = JSON.stringify(pages.screens, null, 2);
      this.emitFile({ type: 'asset', fileName: 'screens.json', source });
    },
  };
}

/** The page of every screen that has one of its own, and index.html for all other addresses. */
function pagesOf(html: string, bundle: Bundle, paints: FirstPaints, base: string) {
  const screens = screenScripts(bundle);
  const page = (address: string) => {
    const scripts = (screens[address] ?? []).map((file) => base + file);
    return pageOf(html, { scripts, paint: paints[address] });
  };
  const addresses = [...new Set([...Object.keys(paints), ...Object.keys(screens)])];
  return {
    index: page(''),
    screens: Object.fromEntries(addresses.map((address) => [address, page(address)])),
  };
}

/** What the app itself shows first, as src/app/prerender.tsx has it. */
async function firstPaints({ root, resolve: { alias } }: ResolvedConfig): Promise<FirstPaints> {
  const { module } = await runnerImport<{ firstPaints: () => FirstPaints }>(
    `${root}/src/app/prerender.tsx`,
    { root, configFile: false, logLevel: 'error', plugins: [currencyFlags()], resolve: { alias } },
  );
  return module.firstPaints();
}
