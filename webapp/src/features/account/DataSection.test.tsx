import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Privacy } from '@/api/privacy';
import { saveFile } from '@/lib/save-file';
import { fullProvider } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { serveUserAccount } from './testing';
import UserAccountScreen from './UserAccountScreen';

vi.mock('@/lib/save-file', () => ({ saveFile: vi.fn(async () => {}) }));

const requestPath = '/vc-admin/org/privacy/erasure/request';
const withdrawPath = '/vc-admin/org/privacy/erasure/withdraw';
const exportPath = '/vc-admin/org/privacy/export';

const erasure = { requestedAt: '2026-11-28T02:00:00Z', dueAt: '2026-12-12T02:00:00Z' };

const aPrivacy = (changes: Partial<Privacy> = {}): Privacy => ({
  organisation: 'Riverside Clinic',
  erasure: null,
  ...changes,
});

function servePrivacy(changes: Partial<Privacy> = {}) {
  server.use(http.get('/vc-admin/org/privacy', () => HttpResponse.json(aPrivacy(changes))));
}

const section = () => screen.findByRole('region', { name: "Your organisation's data" });

async function openSection(privacy: Partial<Privacy> = {}) {
  servePrivacy(privacy);
  renderScreen(UserAccountScreen, '/vc-admin/diy/account');
  const data = within(await section());
  await data.findByRole('heading', { name: 'Deletion' });
  return data;
}

/** Opens the form, and requests the deletion with this name. */
async function request(data: Awaited<ReturnType<typeof openSection>>, name: string) {
  await userEvent.click(data.getByRole('button', { name: 'Request the deletion' }));
  const field = data.getByLabelText('Name of your organisation');
  expect(field).toHaveFocus();
  await userEvent.type(field, `${name}{Enter}`);
  return field;
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.mocked(saveFile).mockClear();
  serveConfig({ provider: fullProvider });
  serveUser();
  serveUserAccount();
});

describe('the section', () => {
  it.each(['billing', 'member'] as const)('is not shown to the role %s', async (role) => {
    serveUser({ role });
    renderScreen(UserAccountScreen, '/vc-admin/diy/account');
    await screen.findByRole('region', { name: 'Sessions' });
    expect(screen.queryByText("Your organisation's data")).not.toBeInTheDocument();
  });

  it('is not shown without the capability', async () => {
    const capabilities = fullProvider.capabilities?.filter((name) => name !== 'privacy');
    serveConfig({ provider: { ...fullProvider, capabilities } });
    renderScreen(UserAccountScreen, '/vc-admin/diy/account');
    await screen.findByRole('region', { name: 'Sessions' });
    expect(screen.queryByText("Your organisation's data")).not.toBeInTheDocument();
  });

  it('loads the state of the deletion again after a failure, and offers the download meanwhile', async () => {
    server.use(http.get('/vc-admin/org/privacy', () => new HttpResponse(null, { status: 500 })));
    renderScreen(UserAccountScreen, '/vc-admin/diy/account');
    const data = within(await section());
    expect(await data.findByText(/could not be loaded/)).toBeVisible();
    expect(data.getByRole('button', { name: 'Download the data' })).toBeVisible();

    servePrivacy();
    await userEvent.click(data.getByRole('button', { name: 'Try again' }));
    expect(await data.findByRole('button', { name: 'Request the deletion' })).toBeVisible();
  });
});

describe('the download', () => {
  it('saves the data after the sign-in is confirmed', async () => {
    const responses = [
      () => errorResponse('ERRREAUTHENTICATE', 'Please confirm that it is you.', 403),
      () => HttpResponse.json({ organisations: [] }),
    ];
    const requests = servePost(exportPath, () => responses.shift()?.() as Response);
    servePost('/auth/login', () => HttpResponse.json({}));
    const data = await openSection();
    await userEvent.click(data.getByRole('button', { name: 'Download the data' }));
    const dialog = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
    await userEvent.type(dialog.getByLabelText('Password'), 'Tide-And-Time-7');
    await userEvent.click(dialog.getByRole('button', { name: 'Sign In' }));

    expect(await data.findByText('The data was downloaded')).toBeVisible();
    expect(requests).toHaveLength(2);
    const [blob, name] = vi.mocked(saveFile).mock.lastCall ?? [];
    expect(name).toBe('organisation-data.json');
    expect(blob?.type).toBe('application/json');
  });

  it("shows the server's message when it is refused", async () => {
    const message = 'Too many attempts. Please try again later!';
    servePost(exportPath, () => errorResponse('ERRRATELIMIT', message, 429));
    const data = await openSection();
    await userEvent.click(data.getByRole('button', { name: 'Download the data' }));
    const alert = await data.findByRole('alert');
    expect(alert).toHaveTextContent('The data was not downloaded');
    expect(alert).toHaveTextContent(message);
    expect(saveFile).not.toHaveBeenCalled();
  });
});

describe('the request for the deletion', () => {
  it('is sent with the typed name, and shows the date', async () => {
    const requests = servePost(requestPath, () => HttpResponse.json(aPrivacy({ erasure })));
    const data = await openSection({ keepUntil: '2037-01-01T00:00:00Z' });
    expect(data.getByText(/keep your invoices.* until December\s31,\s2036/)).toBeVisible();
    await request(data, 'Riverside Clinic');

    expect(await data.findByText(/deleted on December\s12,\s2026/)).toBeVisible();
    expect(data.getByText('The deletion is requested')).toBeVisible();
    expect(requests).toEqual([{ confirmation: 'Riverside Clinic' }]);
    await waitFor(() =>
      expect(data.getByRole('heading', { name: "Your organisation's data" })).toHaveFocus(),
    );
  });

  it('is not sent without a name', async () => {
    const requests = servePost(requestPath, () => HttpResponse.json(aPrivacy({ erasure })));
    const field = await request(await openSection(), ' ');
    expect(field).toHaveAccessibleDescription('Please enter the name of your organisation');
    expect(field).toHaveFocus();
    expect(requests).toEqual([]);
  });

  it("shows the server's message at the name", async () => {
    const message = 'Please enter the name of your organisation';
    servePost(requestPath, () =>
      errorResponse('ERRVALIDATION', message, 400, { confirmation: message }),
    );
    const field = await request(await openSection(), 'Harbour');
    await waitFor(() => expect(field).toHaveAccessibleDescription(message));
    expect(field).toHaveValue('Harbour');
    expect(field).toHaveFocus();
  });

  it('shows why the server refuses it', async () => {
    servePost(requestPath, () =>
      errorResponse('ERRCONFLICT', 'An invoice is still to be paid.', 409),
    );
    const data = await openSection();
    const field = await request(data, 'Riverside Clinic');
    expect(await data.findByRole('alert')).toHaveTextContent('An invoice is still to be paid.');
    expect(field).toBeVisible();
  });

  it('shows the request that another owner has made meanwhile', async () => {
    servePost(requestPath, () => {
      servePrivacy({ erasure });
      return errorResponse('ERRCONFLICT', 'The deletion has been requested already.', 409);
    });
    const data = await openSection();
    await request(data, 'Riverside Clinic');
    expect(await data.findByRole('button', { name: /^Withdraw/ })).toBeVisible();
  });

  it('is not offered while there is an obstacle', async () => {
    const data = await openSection({ obstacle: 'Your organisation has a plan.' });
    expect(data.getByText('Your organisation has a plan.')).toBeVisible();
    expect(data.queryByRole('button', { name: 'Request the deletion' })).not.toBeInTheDocument();
  });

  it('is cancelled, with the focus on its button', async () => {
    const data = await openSection();
    await userEvent.click(data.getByRole('button', { name: 'Request the deletion' }));
    await userEvent.click(data.getByRole('button', { name: 'Cancel' }));
    expect(data.getByRole('button', { name: 'Request the deletion' })).toHaveFocus();
  });

  it('is withdrawn', async () => {
    const requests = servePost(withdrawPath, () => HttpResponse.json(aPrivacy()));
    const data = await openSection({ erasure });
    await userEvent.click(data.getByRole('button', { name: /^Withdraw/ }));
    expect(await data.findByText('The request is withdrawn')).toBeVisible();
    expect(data.getByRole('button', { name: 'Request the deletion' })).toBeVisible();
    expect(requests).toEqual([{}]);
    await waitFor(() =>
      expect(data.getByRole('heading', { name: "Your organisation's data" })).toHaveFocus(),
    );
  });

  it('stays when it could not be withdrawn', async () => {
    servePost(withdrawPath, () => new HttpResponse(null, { status: 500 }));
    const data = await openSection({ erasure, obstacle: 'An invoice is still to be paid.' });
    expect(data.getByText(/An invoice is still to be paid\./)).toBeVisible();
    await userEvent.click(data.getByRole('button', { name: /^Withdraw/ }));
    expect(await data.findByText('The request was not withdrawn')).toBeVisible();
    expect(data.getByRole('button', { name: /^Withdraw/ })).toBeVisible();
  });
});
