import type { Plugin } from 'vite';

/**
 * The dashboard lies outside the app's base path. The Go server answers it with the same
 * index.html; the development server has to be told to do so.
 */
export function dashboardInDev(): Plugin {
  return {
    name: 'dashboard-in-dev',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url?.startsWith('/vc-admin/dash')) request.url = '/vc-admin/diy/index.html';
        next();
      });
    },
  };
}
