import { setupServer } from 'msw/node';

/** The network as tests see it: empty. A test adds the answers it needs with `server.use`. */
export const server = setupServer();
