import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { SelectedPlanBanner } from './SelectedPlanBanner';

it('names the plan and links back to the plans with debug', () => {
  render(
    <MemoryRouter initialEntries={['/vc-admin/diy/regform?debug=true']}>
      <SelectedPlanBanner displayName="Professional" />
    </MemoryRouter>,
  );

  expect(screen.getByText('You are subscribing to a Professional plan')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change plan?' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/plans?debug=true',
  );
});
