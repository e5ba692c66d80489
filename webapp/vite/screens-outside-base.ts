import type { Plugin } from 'vite';

/** The screens outside the app's base path. */
const pathsOutsideBase = /^\/vc-admin\/(dash|auth\/(confirm|forgot|reset))(?=[/?]|$)/;

/**
 * Serves index.html for the dashboard and the sign-in screens, which are outside the app's base path,
 * as the Go server does.
 */
export function screensOutsideBase(): Plugin {
  return {
    name: 'screens-outside-base',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.method === 'GET' && pathsOutsideBase.test(request.url ?? ''))
          request.url = '/vc-admin/diy/index.html';
        next();
      });
    },
  };
}
