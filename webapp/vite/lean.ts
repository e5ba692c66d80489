import type { Plugin } from 'vite';

/**
 * The router is one file whose top level gives every component a display name and makes every
 * context there is; a bundler has to take that for a side effect and keeps it all. Without the
 * names, and with the calls marked as pure, what the app doesn't use falls away (5 kB gzip).
 */
export function leanRouter(code: string): string {
  return code
    .replace(/^\w+\.displayName = ".*";$/gm, '')
    .replace(/= (React\d*\.(?:createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ $1');
}

/** What src/api/client.ts uses of axios, and nothing else of it. */
const leanAxios = `
import Axios from 'axios/unsafe/core/Axios.js';
import mergeConfig from 'axios/unsafe/core/mergeConfig.js';
import defaults from 'axios/unsafe/defaults/index.js';
import isAxiosError from 'axios/unsafe/helpers/isAxiosError.js';
export default { create: (config) => new Axios(mergeConfig(defaults, config)), isAxiosError };
`;

/** A check of options that are written down once, in src/api/client.ts. */
const leanValidator = `
const pass = () => {};
export default { assertOptions: pass, validators: { transitional: pass, spelling: pass } };
`;

/** Parts of axios that a client of JSON over XMLHttpRequest never gets to (10 kB gzip in all). */
const stubs: { [module: string]: string } = {
  './lib/axios.js': leanAxios,
  '../adapters/adapters.js': `
    import xhr from 'axios/unsafe/adapters/xhr.js';
    export default { getAdapter: () => xhr };`,
  './InterceptorManager.js': 'export default class { forEach() {} }',
  '../helpers/validator.js': leanValidator,
  './toFormData.js': 'export default null;',
  '../helpers/toFormData.js': 'export default null;',
  '../helpers/toURLEncodedForm.js': 'export default null;',
  '../helpers/formDataToJSON.js': 'export default null;',
  '../helpers/progressEventReducer.js': 'export const progressEventReducer = null;',
};

/** Leaves out of the bundle what libraries bring along and this app can't reach. Build only. */
export function lean(): Plugin {
  const found = new Set<string>();
  return {
    name: 'lean',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, importer) {
      if (!importer?.includes('/node_modules/axios/') || !(id in stubs)) return undefined;
      found.add(id);
      return `\0lean:${id}`;
    },
    load: (id) => (id.startsWith('\0lean:') ? stubs[id.slice(6)] : undefined),
    transform(code, id) {
      if (!id.includes('/react-router/dist/')) return undefined;
      const leaner = leanRouter(code);
      if (leaner !== code) found.add('react-router');
      return { code: leaner, map: null };
    },
    buildEnd(error) {
      const missed = ['react-router', ...Object.keys(stubs)].filter((name) => !found.has(name));
      if (!error && missed.length > 0) this.error(`lean: nothing to leave out of ${missed}`);
    },
  };
}
