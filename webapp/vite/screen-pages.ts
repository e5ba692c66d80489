import { type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import { currencyFlags } from './currency-flags.ts';
import { type Bundle, screenScripts } from './screen-scripts.ts';

/** Markup by a screen's address. */
type FirstPaints = Record<string, string>;

const placeholder = '<!-- first paint -->';

/** The content of a page in addition to index.html. */
interface Additions {
  /** Scripts to preload. */
  scripts: string[];
  /** The markup that shows before the app's script runs. */
  paint?: string;
}

/**
 * Returns a screen's page, derived from index.html. Scripts have a lower priority than the style sheet, so that they don't
 * delay the first paint.
 */
export function pageOf(index: string, { scripts, paint = '' }: Additions): string {
  if (!index.includes(placeholder)) throw new Error(`index.html has no ${placeholder}`);
  const preloads = scripts.map(
    (file) => `    <link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">\n`,
  );
  return index
    .replace('<script type="module"', '<script type="module" fetchpriority="low"')
    .replace(/ *<\/head>/, (head) => preloads.join('') + head)
    .replace(placeholder, () => paint);
}

/**
 * Writes the page of each screen: the server responds with screens/vc-admin/dash.html at /vc-admin/dash. A page contains
 * the initial markup and preloads the scripts of its screen, so that the browser does not discover them one after
 * another.
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
      for (const [address, source] of Object.entries(pages.screens)) {
        this.emitFile({ type: 'asset', fileName: `screens${address}.html`, source });
      }
    },
  };
}

/** Returns the pages of the screens that have one, and index.html for all other addresses. */
function pagesOf(html: string, bundle: Bundle, paints: FirstPaints, base: string) {
  const screens = screenScripts(bundle);
  const pageAt = (address: string) => {
    const scripts = (screens[address] ?? []).map((file) => base + file);
    return pageOf(html, { scripts, paint: paints[address] });
  };
  const addresses = [...new Set([...Object.keys(paints), ...Object.keys(screens)])];
  return {
    index: pageAt(''),
    screens: Object.fromEntries(addresses.map((address) => [address, pageAt(address)])),
  };
}

/** Returns the initial markup of the app; see src/app/prerender.tsx. */
async function firstPaints({ root, resolve: { alias } }: ResolvedConfig): Promise<FirstPaints> {
  const { module } = await runnerImport<{ firstPaints: () => FirstPaints }>(
    `${root}/src/app/prerender.tsx`,
    { root, configFile: false, logLevel: 'error', plugins: [currencyFlags()], resolve: { alias } },
  );
  return module.firstPaints();
}
