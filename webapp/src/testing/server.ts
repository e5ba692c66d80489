import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';

/** The mocked network. A test adds its responses with `server.use`. */
export const server = setupServer(
  // Every field of a new password loads the list.
  http.get('/vc-admin/diy/common-passwords.json', () => HttpResponse.json({ passwords: [] })),
);
