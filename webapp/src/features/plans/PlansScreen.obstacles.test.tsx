import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSessionStore } from '@/modules/session/session-store';
import { aLicense } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { findPlanCard, openPlansScreen } from './testing';

const obstacles = {
  processing: ['Your last payment is on its way.', 'It is expected by November 28, 2026.'],
  other: ['A payment of your organisation is disputed.', ''],
  ending: ['Resume first: your subscription is ending.', 'Your plan ends on November 28, 2026.'],
  order: [
    'Your order is being checked.',
    'Without an approval the order expires on November 28, 2026.',
  ],
  pending_change: [
    'Another plan change is waiting for its payment.',
    'The other change can be paid until November 28, 2026.',
  ],
  hold: [
    'A payment of your organisation is disputed.',
    'The payment was disputed on November 28, 2026.',
  ],
  paused: ['Your payments are paused.', 'Your payments are paused until November 28, 2026.'],
} as const;

// The first test of the file, because the script of the reasons is loaded once.
it('keeps the plans visible while the script of the first reason loads after a refresh', async () => {
  serveConfig();
  serveUser({ license: aLicense() });
  openPlansScreen();
  const heading = await screen.findByRole('heading', { name: 'Professional' });

  const [reason] = obstacles.other;
  serveUser({
    license: aLicense(),
    planObstacles: { professional_yearly: { kind: 'other', reason, at: null } },
  });
  await act(() => useSessionStore.getState().refresh());

  expect(screen.queryByText(reason)).not.toBeInTheDocument();
  expect(heading).toBeVisible();
  expect(await screen.findByText(reason)).toBeVisible();
});

it.each(Object.entries(obstacles))(
  'disables the button because of %s, with the reason and the date',
  async (kind, [reason, date]) => {
    serveConfig();
    serveUser({
      license: aLicense(),
      planObstacles: {
        professional_yearly: {
          kind: kind as keyof typeof obstacles,
          reason,
          at: kind === 'other' ? null : '2026-11-28T00:00:00Z',
        },
      },
    });
    const location = openPlansScreen();
    const card = await findPlanCard('Professional');
    await card.findByText(reason);
    const button = card.getByRole('button');
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription(
      new RegExp(`${reason} ?${date}`.replaceAll(' ', '\\s')),
    );
    await userEvent.click(button);
    expect(location.path).toBe('/vc-admin/diy/plans?debug=true');
    expect(screen.getByRole('region', { name: 'Standard' })).not.toHaveTextContent(reason);
  },
);

it('enables the button when the server reports no obstacle', async () => {
  serveConfig();
  serveUser({ license: aLicense() });
  openPlansScreen();
  const card = await findPlanCard('Professional');
  expect(card.getByRole('button')).not.toHaveAttribute('aria-disabled');
});
