import { render, screen } from '@testing-library/react';
import { Field } from './Field';
import { Select } from './Select';

describe('Field', () => {
  it('has a label', () => {
    render(<Field label="City" defaultValue="Sydney" />);

    expect(screen.getByLabelText('City')).toHaveValue('Sydney');
    expect(screen.getByLabelText('City')).toBeValid();
  });

  it('is described by its error and its hint', () => {
    render(<Field label="City" error="City is required" hint="Where invoices go" />);

    expect(screen.getByLabelText('City')).toBeInvalid();
    expect(screen.getByLabelText('City')).toHaveAccessibleDescription(
      'City is required Where invoices go',
    );
  });

  it('marks an optional field', () => {
    render(<Field label="Billing address line 2" optional />);

    expect(screen.getByLabelText('Billing address line 2 (optional)')).toBeVisible();
  });
});

it('Select has a label and is described by its error', () => {
  render(
    <Select label="Country" error="Country is required" defaultValue="NZ">
      <option value="AU">Australia</option>
      <option value="NZ">New Zealand</option>
    </Select>,
  );

  expect(screen.getByRole('combobox', { name: 'Country' })).toHaveDisplayValue('New Zealand');
  expect(screen.getByLabelText('Country')).toHaveAccessibleDescription('Country is required');
});
