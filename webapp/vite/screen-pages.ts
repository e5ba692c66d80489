import { type Plugin, type ResolvedConfig, runnerImport } from 'vite';
import { currencyFlags } from './currency-flags.ts';
import { type Bundle, screenScripts } from './screen-scripts.ts';

/** The initial markup of screens by path. */
type MarkupByPath = Record<string, string>;

const placeholder = '<!-- first paint -->';

/** The content of a page in addition to index.html. */
interface ScreenAdditions {
  /** Scripts to preload. */
  scripts: string[];
  /** The markup that shows before the app's script runs. */
  markup?: string;
}

/**
 * Returns a screen's page, derived from index.html. Scripts have a lower priority than the style sheet, so that they don't
 * delay the first paint.
 */
export function pageOf(index: string, { scripts, markup = '' }: ScreenAdditions): string {
  if (!index.includes(placeholder)) throw new Error(`index.html has no ${placeholder}`);
  const preloads = scripts.map(
    (file) => `    <link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">\n`,
  );
  return index
    .replace('<script type="module"', '<script type="module" fetchpriority="low"')
    .replace(/ *<\/head>/, (head) => preloads.join('') + head)
    .replace(placeholder, () => markup);
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
    configResolved(resolvedConfig) {
      config = resolvedConfig;
    },
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('there is no index.html');
      const pages = pagesOf(String(index.source), bundle, await prerender(config), config.base);
      index.source = pages.index;
      for (const [path, source] of Object.entries(pages.screens)) {
        this.emitFile({ type: 'asset', fileName: `screens${path}.html`, source });
      }
    },
  };
}

/** Returns the pages of the screens that have one, and index.html for all other paths. */
function pagesOf(html: string, bundle: Bundle, markup: MarkupByPath, base: string) {
  const scriptsByPath = screenScripts(bundle);
  const pageAt = (path: string) => {
    const scripts = (scriptsByPath[path] ?? []).map((file) => base + file);
    return pageOf(html, { scripts, markup: markup[path] });
  };
  const paths = [...new Set([...Object.keys(markup), ...Object.keys(scriptsByPath)])];
  return {
    index: pageAt(''),
    screens: Object.fromEntries(paths.map((path) => [path, pageAt(path)])),
  };
}

/** Returns the initial markup of the app; see src/app/prerender.tsx. */
async function prerender({ root, resolve: { alias } }: ResolvedConfig): Promise<MarkupByPath> {
  const { module } = await runnerImport<{ prerenderScreens: () => MarkupByPath }>(
    `${root}/src/app/prerender.tsx`,
    { root, configFile: false, logLevel: 'error', plugins: [currencyFlags()], resolve: { alias } },
  );
  return module.prerenderScreens();
}
