import { screen } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Config } from '@/api';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import RegistrationScreen from './RegistrationScreen';

/** The texts of the fields by label; the country is preselected. */
const formInput = {
  'First name': 'Mara',
  'Last name': 'Lindqvist',
  Organization: 'Harbour Physiotherapy',
  Email: 'Mara@Harbour.Example',
  Password: 'Tide-And-Time-7',
  'Confirm Password': 'Tide-And-Time-7',
  'Billing address line 1': '12 Harbour Street',
  City: 'Sydney',
  'Zip/Postal code': '2000',
  'Phone no.': '+61 2 5550 0142',
};

/** The path of the form for the yearly Professional plan. */
export const formPath =
  '/vc-admin/diy/regform?product=professional&interval=yearly&currency=AUD&debug=true';

/** Opens the form as a visitor and waits until it is loaded. */
export async function openRegistrationForm(
  path = formPath,
  config: Partial<Config> = {},
  state?: unknown,
) {
  serveConfig(config);
  serveVisitor();
  const { pathname, search } = new URL(path, 'http://localhost');
  const location = renderScreen(RegistrationScreen, { pathname, search, state });
  await screen.findByLabelText('First name');
  return location;
}

/** Replaces the texts of all fields and selects the state. An empty text leaves its field empty. */
export async function fillForm(changes: Partial<typeof formInput> = {}): Promise<UserEvent> {
  const user = userEvent.setup();
  for (const [label, text] of Object.entries({ ...formInput, ...changes })) {
    const field = screen.getByLabelText(label);
    await user.clear(field);
    if (text) {
      await user.click(field);
      await user.paste(text);
    }
  }
  await screen.findByText('New South Wales');
  await user.selectOptions(screen.getByLabelText('State/Province'), 'New South Wales');
  return user;
}

export const clickSubmit = () => userEvent.click(screen.getByRole('button', { name: 'Submit' }));

/** Serves the sign-up call; returns the requests. */
export function serveSignUp(respond: () => Response | Promise<Response>) {
  const requests: { body: unknown; search: string }[] = [];
  server.use(
    http.post('/vc-admin/signup', async ({ request }) => {
      requests.push({ body: await request.json(), search: new URL(request.url).search });
      return respond();
    }),
  );
  return requests;
}

/** The response to a successful sign-up. */
export const signUpResponse = () =>
  HttpResponse.json(
    { user: { id: 'usr_1', email: 'mara@harbour.example' }, org: { id: 'org_1' } },
    { status: 201 },
  );
