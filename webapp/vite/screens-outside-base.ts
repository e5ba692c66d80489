import type { Plugin } from 'vite';
import { routes } from '../src/lib/paths.ts';

/** The paths of the screens outside the app's base path, such as the dashboard. */
const pathsOutsideBase = new Set<string>(
  Object.values(routes).filter((path) => !path.startsWith(routes.area)),
);

/** Whether a request is for a screen outside the app's base path. */
export function isScreenOutsideBase({
  method,
  url = '',
}: {
  method?: string;
  url?: string;
}): boolean {
  const [path = ''] = url.split('?');
  return method === 'GET' && pathsOutsideBase.has(path.replace(/\/$/, ''));
}

/** Serves index.html for the screens outside the app's base path, as the Go server does. */
export function screensOutsideBase(): Plugin {
  return {
    name: 'screens-outside-base',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (isScreenOutsideBase(request)) request.url = `${routes.area}/index.html`;
        next();
      });
    },
  };
}
