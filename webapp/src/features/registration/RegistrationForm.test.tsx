import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  clickSubmit,
  fillForm,
  openRegistrationForm,
  serveSignUp,
  signUpResponse,
} from './testing';

describe('the fields', () => {
  it('are in the specified order, each with its label, input type and autofill', async () => {
    await openRegistrationForm();
    const controls = [...document.querySelectorAll<HTMLInputElement>('input, select')];
    expect(
      controls.map((control) => [
        document.querySelector(`label[for="${control.id}"]`)?.textContent,
        control.getAttribute('autocomplete'),
        control.type,
      ]),
    ).toEqual([
      ['First name', 'given-name', 'text'],
      ['Last name', 'family-name', 'text'],
      ['Organization', 'organization', 'text'],
      ['Email', 'email', 'email'],
      ['Password', 'new-password', 'password'],
      ['Confirm Password', 'new-password', 'password'],
      ['Country', 'country', 'select-one'],
      ['State/Province', 'address-level1', 'select-one'],
      ['Billing address line 1', 'address-line1', 'text'],
      ['Billing address line 2 (optional)', 'address-line2', 'text'],
      ['City', 'address-level2', 'text'],
      ['Zip/Postal code', 'postal-code', 'text'],
      ['Phone no.', 'tel', 'tel'],
    ]);
    expect(screen.getByLabelText('Email')).toHaveAttribute('inputmode', 'email');
    expect(screen.getByLabelText('Phone no.')).toHaveAttribute('inputmode', 'tel');
  });

  it('show or hide each password with the button beside it', async () => {
    await openRegistrationForm();
    await userEvent.click(screen.getByRole('button', { name: 'Show Password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
    expect(screen.getByLabelText('Confirm Password')).toHaveAttribute('type', 'password');
    await userEvent.click(screen.getByRole('button', { name: 'Hide Password' }));
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
    await userEvent.click(screen.getByRole('button', { name: 'Show Confirm Password' }));
    expect(screen.getByLabelText('Confirm Password')).toHaveAttribute('type', 'text');
  });
});

describe('the password checklist', () => {
  const listItems = () =>
    within(screen.getByRole('list', { name: 'What it needs' }))
      .getAllByRole('listitem')
      .map((item) => [item.textContent, item.className.match(/text-(success|danger)/)?.[1]]);

  it('shows in colour and text which conditions the password meets', async () => {
    await openRegistrationForm();
    expect(listItems()).toEqual([
      ['at least 8 characters, not met', 'danger'],
      ['at least 1 upper-case letter, not met', 'danger'],
      ['at least 1 lower-case letter, not met', 'danger'],
      ['at least 1 number, not met', 'danger'],
    ]);
    await userEvent.type(screen.getByLabelText('Password'), 'aB3');
    expect(listItems()).toEqual([
      ['at least 8 characters, not met', 'danger'],
      ['at least 1 upper-case letter, met', 'success'],
      ['at least 1 lower-case letter, met', 'success'],
      ['at least 1 number, met', 'success'],
    ]);
    expect(screen.getByText('3 of 4 conditions met')).toBeInTheDocument();
  });
});

describe('the validation', () => {
  it('shows a message at every required field of an empty form and sends no request', async () => {
    await openRegistrationForm();
    const requests = serveSignUp(signUpResponse);
    await userEvent.selectOptions(screen.getByLabelText('Country'), '');
    await clickSubmit();
    for (const [label, message] of [
      ['First name', 'First name is required Letters only, words separated by spaces'],
      ['Last name', 'Last name is required Letters only, words separated by spaces'],
      ['Organization', 'Org name is required'],
      ['Email', 'email is required'],
      ['Password', /^Password policy not followed at least 8 characters ?, not met/],
      ['Confirm Password', 'Confirmation of Password is required'],
      ['Country', 'Country is required'],
      ['State/Province', 'state is required'],
      ['Billing address line 1', 'Billing address line 1 is required'],
      ['City', 'City is required'],
      ['Zip/Postal code', 'Zip/Postal code is required'],
      ['Phone no.', 'Phone no. required'],
    ] as const) {
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(message);
    }
    expect(screen.getByLabelText('First name')).toHaveFocus();
    expect(screen.getByLabelText(/line 2/)).toBeValid();
    expect(requests).toEqual([]);
  });

  it.each([
    ['First name', 'R2D2', /^Invalid first name\b/],
    ['Last name', "O'Neill", /^Invalid last name\b/],
    ['Email', 'mara@localhost', 'Invalid email address!'],
    ['Password', 'short1', 'Password policy not followed'],
    ['Confirm Password', 'Tide-And-Time-8', 'Passwords did not match'],
    ['Zip/Postal code', '   ', 'Invalid zipcode'],
    ['Phone no.', '12-34', 'Invalid contact details'],
  ])('shows a message at %s for "%s" and sends no request', async (label, text, message) => {
    await openRegistrationForm();
    const requests = serveSignUp(signUpResponse);
    await fillForm({ [label]: text });
    await clickSubmit();
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.getByLabelText(label)).toBeInvalid();
    expect(screen.getByLabelText(label)).toHaveFocus();
    expect(requests).toEqual([]);
  });

  it('shows a message on blur and removes the message when the text becomes valid', async () => {
    await openRegistrationForm();
    const email = screen.getByLabelText('Email');
    await userEvent.type(email, 'mara@');
    expect(email).not.toHaveAttribute('aria-invalid');
    await userEvent.tab();
    expect(await screen.findByText('Invalid email address!')).toBeVisible();
    await userEvent.type(email, 'harbour.example');
    expect(email).not.toHaveAttribute('aria-invalid');
  });

  it('removes the message at the repeated password when a change of the password makes them equal', async () => {
    await openRegistrationForm();
    await fillForm({ 'Confirm Password': 'Tide-And-Time-8' });
    expect(await screen.findByText('Passwords did not match')).toBeVisible();
    const password = screen.getByLabelText('Password');
    await userEvent.type(password, '{Backspace}8');
    expect(screen.queryByText('Passwords did not match')).not.toBeInTheDocument();
  });
});
