import { regions } from 'virtual:countries';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import { openForm } from './registration-steps';

const country = (code: string) => userEvent.selectOptions(screen.getByLabelText('Country'), code);

describe('country and state', () => {
  it('begin with the default country and its regions', async () => {
    await openForm();
    expect(screen.getByLabelText('Country')).toHaveDisplayValue('Australia');
    expect(await screen.findByText('Tasmania')).toBeInTheDocument();
    expect(screen.getByLabelText('State/Province')).toHaveValue('');
    expect(screen.getByText('Åland Islands')).toBeInTheDocument();
  });

  it('follow the country; what was chosen for another one is gone', async () => {
    await openForm();
    await screen.findByText('Tasmania');
    await userEvent.selectOptions(screen.getByLabelText('State/Province'), 'Tasmania');
    await country('NZ');
    await userEvent.selectOptions(
      screen.getByLabelText('State/Province'),
      await screen.findByText('Otago'),
    );
    expect(screen.queryByText('Tasmania')).not.toBeInTheDocument();
    await country('AU');
    expect(screen.getByLabelText('State/Province')).toHaveValue('');
  });

  it('take any text where there is no list', async () => {
    await openForm();
    await country('SJ');
    const state = screen.getByRole('textbox', { name: 'State/Province' });
    await userEvent.type(state, 'Longyearbyen');
    expect(state).toHaveValue('Longyearbyen');
  });

  it('take any text where the list cannot be had', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const known = regions.CH;
    onTestFinished(() => {
      regions.CH = known;
    });
    regions.CH = () => Promise.reject(new TypeError('Failed to fetch'));
    await openForm();
    await country('CH');
    expect(await screen.findByRole('textbox', { name: 'State/Province' })).toBeVisible();
    expect(log).toHaveBeenCalled();
  });
});
