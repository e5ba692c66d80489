import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { queryClient } from '@/modules/session/query-client';
import { errorResponse, serveConfig, servePost, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { TwoStepSection } from './TwoStepSection';

const reload = vi.fn(async () => {});
const ok = () => HttpResponse.json({});
const confirmPath = '/vc-admin/user/two-step/confirm';

const setup = {
  secret: 'ABCDEFGH',
  qr: ['101', '010', '111'],
  codes: ['AAAABBBB'],
  state: 'signed',
};

const renderTwoStep = (recoveryCodes?: number, { hasPasskey = false, withoutApp = false } = {}) =>
  renderScreen(
    () => (
      <QueryClientProvider client={queryClient}>
        <TwoStepSection
          twoStep={
            recoveryCodes === undefined
              ? null
              : { since: '2026-11-20T00:00:00Z', recoveryCodes, withoutApp }
          }
          canInvite
          hasPasskey={hasPasskey}
          reload={reload}
        />
      </QueryClientProvider>
    ),
    '/vc-admin/diy/account',
  );

const heading = () => screen.getByRole('heading', { name: 'Two-step verification' });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveConfig();
  serveVisitor();
});

describe('two-step verification', () => {
  it('is turned on with a code, after the recovery codes were saved', async () => {
    servePost('/vc-admin/user/two-step/start', () => HttpResponse.json(setup));
    renderTwoStep();
    await userEvent.click(await screen.findByRole('button', { name: /Turn on two-step/ }));
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    expect(screen.getByText('ABCD-EFGH')).toBeVisible();
    expect(screen.getByText('AAAA-BBBB')).toBeVisible();
    const button = screen.getByRole('button', { name: 'Turn on' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(screen.getByRole('checkbox', { name: 'I saved these codes' }));

    servePost(confirmPath, () =>
      errorResponse('ERRVALIDATION', 'Invalid', 400, { code: 'The code is not right.' }),
    );
    await userEvent.click(button);
    expect(screen.getByLabelText('Code')).toHaveAccessibleDescription(/Code is required/);
    await userEvent.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText('The code is not right.')).toBeVisible();

    const requests = servePost(confirmPath, ok);
    await userEvent.clear(screen.getByLabelText('Code'));
    await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText(/Two-step verification is on/)).toBeVisible();
    expect(requests).toEqual([{ state: 'signed', code: '123456' }]);
    expect(reload).toHaveBeenCalled();
    expect(heading()).toHaveFocus();
  });

  it('is turned on without an app by a user with a passkey', async () => {
    const starts = servePost('/vc-admin/user/two-step/start', () =>
      HttpResponse.json({ codes: ['CCCCDDDD'], state: 'signed' }),
    );
    const requests = servePost(confirmPath, ok);
    renderTwoStep(undefined, { hasPasskey: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Turn on without an app' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'I saved these codes' }));
    expect(screen.queryByLabelText('Code')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByText(/Two-step verification is on/)).toBeVisible();
    expect(starts).toEqual([{ withoutApp: true }]);
    expect(requests).toEqual([{ state: 'signed', code: '' }]);
  });

  it('offers no setup without an app to a user without a passkey', async () => {
    renderTwoStep();
    expect(await screen.findByRole('button', { name: /Turn on two-step/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Turn on without an app' })).toBeNull();
  });

  it('says that the password needs a recovery code without an app', async () => {
    renderTwoStep(9, { hasPasskey: true, withoutApp: true });
    expect(await screen.findByText(/your password also needs a recovery code/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Turn on without an app' })).toBeNull();
  });

  it('gets an app later, and the recovery codes stay the same', async () => {
    const starts = servePost('/vc-admin/user/two-step/start', () =>
      HttpResponse.json({ ...setup, codes: [] }),
    );
    const requests = servePost(confirmPath, ok);
    renderTwoStep(7, { hasPasskey: true, withoutApp: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Add an authenticator app' }));
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    expect(screen.queryByRole('checkbox')).toBeNull();
    await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText(/Your recovery codes stay valid/)).toBeVisible();
    expect(starts).toEqual([{ withoutApp: false }]);
    expect(requests).toEqual([{ state: 'signed', code: '123456' }]);
    expect(heading()).toHaveFocus();
  });

  it('offers no second app', async () => {
    renderTwoStep(7, { hasPasskey: true });
    expect(await screen.findByRole('button', { name: 'New recovery codes' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add an authenticator app' })).toBeNull();
  });

  it('replaces the recovery codes without a code', async () => {
    const starts = servePost('/vc-admin/user/two-step/start', () =>
      HttpResponse.json({ codes: ['CCCCDDDD'], state: 'signed' }),
    );
    servePost(confirmPath, ok);
    renderTwoStep(1);
    expect(await screen.findByText(/You have 1 recovery code left/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'New recovery codes' }));
    await userEvent.click(await screen.findByRole('checkbox', { name: 'I saved these codes' }));
    expect(screen.queryByLabelText('Code')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Replace the codes' }));
    expect(await screen.findByText(/new recovery codes replace/)).toBeVisible();
    expect(starts).toEqual([{ withoutApp: true }]);
  });

  it('is turned off after a confirmation', async () => {
    const requests = servePost('/vc-admin/user/two-step/off', ok);
    renderTwoStep(9);
    await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
    expect(requests).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Two-step verification is off.')).toBeVisible();
    expect(heading()).toHaveFocus();
  });

  it('stays on when the user does not confirm', async () => {
    const requests = servePost('/vc-admin/user/two-step/off', ok);
    renderTwoStep(9);
    await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
    const keepButton = screen.getByRole('button', { name: 'Keep it on' });
    expect(keepButton).toHaveFocus();
    expect(keepButton).toHaveAccessibleDescription(/^Turn two-step verification off\?/);
    await userEvent.click(keepButton);
    expect(heading()).toHaveFocus();
    expect(requests).toEqual([]);
  });

  it('shows why it could not be turned off', async () => {
    servePost('/vc-admin/user/two-step/off', () => errorResponse('ERRINTERNAL', 'Failed', 500));
    renderTwoStep(9);
    await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(heading()).toHaveFocus();
  });

  it('closes a cancelled setup', async () => {
    servePost('/vc-admin/user/two-step/start', () => HttpResponse.json(setup));
    renderTwoStep();
    await userEvent.click(await screen.findByRole('button', { name: /Turn on two-step/ }));
    const setupHeading = await screen.findByRole('heading', { name: /^Set up/ });
    expect(setupHeading).toHaveFocus();
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(setupHeading).not.toBeInTheDocument();
    expect(heading()).toHaveFocus();
  });
});
