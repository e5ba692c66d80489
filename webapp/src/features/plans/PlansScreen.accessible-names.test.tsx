import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { findPlanCard, openPlansScreen } from './testing';

const textOf = (element: HTMLElement) => element.textContent?.replace(/\s+/g, ' ').trim();

it('has text alternatives for amounts, toggles and tick marks', async () => {
  serveConfig();
  serveVisitor();
  openPlansScreen();
  const standardCard = await findPlanCard('Standard');

  // Amounts have a currency and a period, and buttons name their plan.
  expect(textOf(standardCard.getByText('$35').parentElement as HTMLElement)).toBe(
    '$35 AUD per month',
  );
  expect(standardCard.getByRole('button')).toHaveAccessibleDescription('Standard');

  // A toggle is a named group of named options; a status announces the prices after a change.
  const intervalGroup = screen.getByRole('group', { name: 'Billing interval' });
  expect(within(intervalGroup).getByRole('radio', { name: 'Annual billing' })).toBeChecked();
  await userEvent.click(within(intervalGroup).getByRole('radio', { name: 'Monthly billing' }));
  const currencyGroup = screen.getByRole('group', { name: 'Currency' });
  await userEvent.click(within(currencyGroup).getByRole('radio', { name: 'EUR' }));
  expect(screen.getByText(/^Prices per month in .+, billed monthly$/)).toHaveAttribute(
    'role',
    'status',
  );

  // A tick mark is hidden from screen readers and has a text beside it.
  for (const cell of screen.getAllByRole('cell')) {
    expect(textOf(cell)).not.toBe('');
    for (const picture of cell.querySelectorAll('svg')) {
      expect(picture).toHaveAttribute('aria-hidden', 'true');
      expect(textOf(cell)).toMatch(/^(Included|Not included)$/);
    }
  }
});
