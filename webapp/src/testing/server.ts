import { setupServer } from 'msw/node';

/** The mocked network. A test adds its responses with `server.use`. */
export const server = setupServer();
