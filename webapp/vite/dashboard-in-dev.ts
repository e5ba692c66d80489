import type { Plugin } from 'vite';

/** The screens outside the app's base path. */
const outside = /^\/vc-admin\/(dash|auth\/(confirm|forgot|reset))(?=[/?]|$)/;

/**
 * The dashboard and the screens around signing in lie outside the app's base path. The Go server
 * answers them with the same index.html; the development server has to be told to do so.
 */
export function dashboardInDev(): Plugin {
  return {
    name: 'dashboard-in-dev',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.method === 'GET' && outside.test(request.url ?? ''))
          request.url = '/vc-admin/diy/index.html';
        next();
      });
    },
  };
}
