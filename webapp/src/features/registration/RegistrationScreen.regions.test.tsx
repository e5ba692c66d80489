import { regions } from 'virtual:countries';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import { openRegistrationForm } from './testing';

const selectCountry = (code: string) =>
  userEvent.selectOptions(screen.getByLabelText('Country'), code);

describe('the countries', () => {
  const countryOptions = () =>
    [...screen.getByLabelText<HTMLSelectElement>('Country').options].slice(1);

  it.each([
    ['MK', 'North Macedonia'],
    ['KR', 'South Korea'],
    ['TZ', 'Tanzania'],
    ['CG', 'Congo - Brazzaville'],
    ['FK', 'Falkland Islands'],
    ['AX', 'Åland Islands'],
    ['XK', 'Kosovo'],
    ['SJ', 'Svalbard & Jan Mayen'],
  ])('include %s under its CLDR name %s', async (code, name) => {
    await openRegistrationForm();
    expect(countryOptions().find(({ value }) => value === code)).toHaveTextContent(name);
  });

  it('are sorted by name', async () => {
    await openRegistrationForm();
    const names = countryOptions().map(({ text }) => text);
    expect(names).toHaveLength(250);
    expect(names).toEqual([...names].sort(new Intl.Collator('en').compare));
    expect(names.slice(0, 3)).toEqual(['Afghanistan', 'Åland Islands', 'Albania']);
  });
});

describe('country and state', () => {
  it('start with the default country and its regions', async () => {
    await openRegistrationForm();
    expect(screen.getByLabelText('Country')).toHaveDisplayValue('Australia');
    expect(await screen.findByText('Tasmania')).toBeInTheDocument();
    expect(screen.getByLabelText('State/Province')).toHaveValue('');
  });

  it('offer the regions of a new country and clear the state after each change of the country', async () => {
    await openRegistrationForm();
    await screen.findByText('Tasmania');
    await userEvent.selectOptions(screen.getByLabelText('State/Province'), 'Tasmania');
    await selectCountry('NZ');
    await userEvent.selectOptions(
      screen.getByLabelText('State/Province'),
      await screen.findByText('Otago'),
    );
    expect(screen.queryByText('Tasmania')).not.toBeInTheDocument();
    await selectCountry('AU');
    expect(screen.getByLabelText('State/Province')).toHaveValue('');
    await selectCountry('GB');
    const state = screen.getByRole('textbox', { name: 'State/Province' });
    await userEvent.type(state, 'Kent');
    await selectCountry('FR');
    expect(state).toHaveValue('');
  });

  it.each(['SJ', 'GB', 'CH', 'FK', 'HK', 'NP', 'CI', 'PK'])(
    'accept any text as the state of %s, which has no usable list of regions',
    async (code) => {
      await openRegistrationForm();
      await selectCountry(code);
      const state = screen.getByRole('textbox', { name: 'State/Province' });
      await userEvent.type(state, 'Longyearbyen');
      expect(state).toHaveValue('Longyearbyen');
    },
  );

  it('accept any text as the state when the list of regions can’t be loaded', async () => {
    const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
    const originalLoader = regions.NL;
    onTestFinished(() => {
      regions.NL = originalLoader;
    });
    regions.NL = () => Promise.reject(new TypeError('Failed to fetch'));
    await openRegistrationForm();
    await selectCountry('NL');
    expect(await screen.findByRole('textbox', { name: 'State/Province' })).toBeVisible();
    expect(consoleError).toHaveBeenCalled();
  });
});

describe('country and state filled in by the browser at the same time', () => {
  const control = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
  const setDomValue = (label: string, value: string) => {
    const element = control(label);
    const prototype = Object.getPrototypeOf(element) as object;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
    return element;
  };
  const dispatchChange = (element: HTMLElement) => {
    element.dispatchEvent(new Event('input', { bubbles: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
  };

  /** Each function fills in both fields in an order that browsers or password managers use. */
  const autofillByOrder: Record<string, (code: string, state: string) => void> = {
    'country first': (code, state) => {
      dispatchChange(setDomValue('Country', code));
      dispatchChange(setDomValue('State/Province', state));
    },
    'state first': (code, state) => {
      dispatchChange(setDomValue('State/Province', state));
      dispatchChange(setDomValue('Country', code));
    },
    'both, then the events': (code, state) => {
      setDomValue('State/Province', state);
      setDomValue('Country', code);
      dispatchChange(control('Country'));
      dispatchChange(control('State/Province'));
    },
  };

  it.each(Object.keys(autofillByOrder))(
    'keep the state in a country without a list of regions (%s)',
    async (order) => {
      await openRegistrationForm();
      await selectCountry('GB');
      act(() => autofillByOrder[order]?.('CH', 'Bern'));
      expect(control('State/Province')).toHaveValue('Bern');
    },
  );

  it.each(Object.keys(autofillByOrder))(
    'select the state in the list of regions of a new country (%s)',
    async (order) => {
      await openRegistrationForm();
      await selectCountry('GB');
      act(() => autofillByOrder[order]?.('NZ', 'otago'));
      await waitFor(() => expect(control('State/Province')).toHaveValue('Otago'));
    },
  );

  it('clear a state that is not in the list of regions of a new country', async () => {
    await openRegistrationForm();
    await selectCountry('GB');
    act(() => autofillByOrder['country first']?.('NZ', 'Kent'));
    await screen.findByText('Otago');
    expect(control('State/Province')).toHaveValue('');
  });

  it('keep the state when the browser fills in the country that is already selected', async () => {
    await openRegistrationForm();
    await screen.findByText('Tasmania');
    await userEvent.selectOptions(screen.getByLabelText('State/Province'), 'Tasmania');
    act(() => dispatchChange(setDomValue('Country', 'AU')));
    expect(control('State/Province')).toHaveValue('Tasmania');
  });
});
