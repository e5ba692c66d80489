import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createRef } from 'react';
import type { CardFieldState } from '@/modules/payments/card-provider/port';
import { FakeCardField, type FakeCardHandle } from './FakeCardField';

function renderField() {
  const ref = createRef<FakeCardHandle>();
  const onChange = vi.fn<(card: CardFieldState) => void>();
  const field = (disabled: boolean) => (
    <FakeCardField className="" disabled={disabled} onChange={onChange} ref={ref} />
  );
  const { rerender } = render(field(false));
  return {
    read: () => ref.current?.read(),
    disable: (disabled: boolean) => rerender(field(disabled)),
    lastMessage: () => onChange.mock.lastCall?.[0].message,
    lastBrand: () => onChange.mock.lastCall?.[0].brand,
  };
}

const number = () => screen.getByLabelText<HTMLInputElement>('Card number');
const expiry = () => screen.getByLabelText<HTMLInputElement>('Expiry');
const cvc = () => screen.getByLabelText<HTMLInputElement>('CVC');

describe('the fake card field', () => {
  it('has three labelled inputs with a numeric keyboard and autofill', () => {
    renderField();
    for (const [input, autofill] of [
      [number(), 'cc-number'],
      [expiry(), 'cc-exp'],
      [cvc(), 'cc-csc'],
    ] as const) {
      expect(input).toHaveAttribute('autocomplete', autofill);
      expect(input).toHaveAttribute('inputmode', 'numeric');
    }
  });

  it('reports the brand of the card and returns its data', async () => {
    const { read, lastMessage, lastBrand } = renderField();
    await userEvent.type(number(), '42424242x42424242');
    expect(number()).toHaveValue('4242 4242 4242 4242');
    expect(lastBrand()).toBe('visa');
    await userEvent.type(expiry(), '1234');
    await userEvent.type(cvc(), '123');
    expect(lastMessage()).toBeUndefined();
    expect(read()).toEqual({
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
    });
  });

  it('reports a wrong number immediately, and an incomplete number on blur', async () => {
    const { lastMessage } = renderField();
    await userEvent.type(number(), '4242');
    expect(lastMessage()).toBeUndefined();
    await userEvent.tab();
    expect(lastMessage()).toBe('Your card number is incomplete.');
    expect(number()).toHaveAttribute('aria-invalid', 'true');
    await userEvent.type(number(), '424242424241');
    expect(lastMessage()).toBe('Your card number is invalid.');
    await userEvent.type(number(), '{Backspace}2');
    expect(lastMessage()).toBeUndefined();
    expect(number()).toHaveAttribute('aria-invalid', 'false');
  });

  it('shows no error for an empty input that loses the focus', async () => {
    const { lastMessage } = renderField();
    await userEvent.click(number());
    await userEvent.tab();
    expect(lastMessage()).toBeUndefined();
  });

  it('marks every incomplete input when the card is requested, and focuses the first', async () => {
    const { read } = renderField();
    await userEvent.type(number(), '4242424242424242');
    expect(read()).toEqual({ message: "Your card's expiration date is incomplete." });
    expect(expiry()).toHaveFocus();
    expect(await screen.findByLabelText('CVC')).toHaveAttribute('aria-invalid', 'true');
  });

  it('returns the focus when it is enabled again', async () => {
    const { disable } = renderField();
    await userEvent.click(expiry());
    disable(true);
    expect(number()).toBeDisabled();
    expiry().blur(); // as browsers do for a disabled input
    disable(false);
    expect(expiry()).toHaveFocus();
  });

  it('leaves the focus on another element when it is enabled again', async () => {
    const { disable } = renderField();
    await userEvent.click(number());
    disable(true);
    const button = document.body.appendChild(document.createElement('button'));
    button.focus();
    disable(false);
    expect(button).toHaveFocus();
    button.remove();
  });
});

describe('typing into a formatted input', () => {
  it('formats a pasted date', async () => {
    renderField();
    await userEvent.click(expiry());
    await userEvent.paste('12/2034');
    expect(expiry()).toHaveValue('12 / 34');
  });

  it('deletes a separator together with the digit before it', async () => {
    renderField();
    await userEvent.type(expiry(), '12{Backspace}');
    expect(expiry()).toHaveValue('1');
    await userEvent.type(expiry(), '2');
    expect(expiry()).toHaveValue('12 / ');
  });

  it('keeps the caret where a digit is inserted', async () => {
    renderField();
    await userEvent.type(number(), '42424242');
    await userEvent.type(number(), '9', { initialSelectionStart: 2, initialSelectionEnd: 2 });
    expect(number()).toHaveValue('4294 2424 2');
    expect(number().selectionStart).toBe(3);
  });

  it('keeps the caret where a digit is deleted', async () => {
    renderField();
    await userEvent.type(number(), '42949242');
    const caret = { initialSelectionStart: 3, initialSelectionEnd: 3 };
    await userEvent.type(number(), '{Backspace}', caret);
    expect(number()).toHaveValue('4249 242');
    expect(number().selectionStart).toBe(2);
  });
});
