import { render, screen } from '@testing-library/react';
import { SavedCard } from './SavedCard';

it('shows the label of a method that is no card', () => {
  const none = { brand: '', last4: '', exp_month: 0, exp_year: 0 };
  const label = 'BECS Direct Debit •••• 3456';
  render(<SavedCard card={{ id: 'pm_1', kind: 'bank_debit', label, card: none }} isDefault />);

  expect(screen.getAllByText(label)).toHaveLength(2);
  expect(screen.queryByText(/Expires/)).not.toBeInTheDocument();
});
