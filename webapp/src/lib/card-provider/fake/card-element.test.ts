import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import { FakeCardElement } from './card-element';

function mounted(options?: { disabled?: boolean }) {
  const place = document.createElement('div');
  document.body.replaceChildren(place);
  const element = new FakeCardElement(options);
  const changes: { complete: boolean; empty: boolean; brand: string; error?: object }[] = [];
  element.on('change', (event) => changes.push(event as (typeof changes)[number]));
  element.mount(place);
  return { element, place, last: () => changes.at(-1) };
}

describe('the fake card field', () => {
  it('has three labelled inputs with the right keyboard and autofill', () => {
    mounted();
    for (const [label, autofill] of [
      ['Card number', 'cc-number'],
      ['Expiry', 'cc-exp'],
      ['CVC', 'cc-csc'],
    ]) {
      const input = screen.getByLabelText(label as string);
      expect(input).toHaveAttribute('autocomplete', autofill);
      expect(input).toHaveAttribute('inputmode', 'numeric');
    }
  });

  it('emits every change, complete at the end', async () => {
    const { last } = mounted();
    await userEvent.type(screen.getByLabelText('Card number'), '4242424242424242');
    expect(last()).toMatchObject({ brand: 'visa', complete: false, empty: false });
    expect(screen.getByText('Visa')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Expiry'), '1234');
    await userEvent.type(screen.getByLabelText('CVC'), '123');
    expect(last()).toMatchObject({ elementType: 'card', complete: true, error: undefined });
  });

  it('says at once what is wrong, and what is incomplete when it is left', async () => {
    const { last } = mounted();
    const number = screen.getByLabelText('Card number');
    await userEvent.type(number, '4242');
    expect(last()?.error).toBeUndefined();
    await userEvent.tab();
    expect(last()?.error).toMatchObject({ message: 'Your card number is incomplete.' });
    expect(number).toHaveAttribute('aria-invalid', 'true');
    await userEvent.type(number, '424242424241');
    expect(last()?.error).toMatchObject({ message: 'Your card number is invalid.' });
    await userEvent.type(number, '{Backspace}2');
    expect(last()?.error).toBeUndefined();
    expect(number).toHaveAttribute('aria-invalid', 'false');
  });

  it('shows no error for an empty field that loses the focus', async () => {
    const { last } = mounted();
    await userEvent.click(screen.getByLabelText('Card number'));
    await userEvent.tab();
    expect(last()).toMatchObject({ empty: true, error: undefined });
  });

  it('marks every incomplete field when it is read, and moves to the first', async () => {
    const { element } = mounted();
    await userEvent.type(screen.getByLabelText('Card number'), '4242424242424242');
    expect(element.read()).toMatchObject({ error: { code: 'incomplete_expiry' } });
    expect(screen.getByLabelText('Expiry')).toHaveFocus();
    expect(screen.getByLabelText('CVC')).toHaveAttribute('aria-invalid', 'true');
  });

  it('can be disabled, cleared and focused', async () => {
    const { element, last } = mounted({ disabled: true });
    const number = screen.getByLabelText('Card number');
    expect(number).toBeDisabled();
    element.update({});
    expect(number).toBeDisabled();
    element.update({ disabled: false });
    await userEvent.type(number, '4242');
    element.clear();
    expect(number).toHaveValue('');
    expect(last()).toMatchObject({ empty: true, error: undefined });
    element.focus();
    expect(number).toHaveFocus();
  });

  it('gives the focus back that being disabled has taken', async () => {
    const { element } = mounted();
    const expiry = screen.getByLabelText('Expiry');
    await userEvent.click(expiry);
    element.update({ disabled: true });
    expiry.blur(); // as browsers do
    element.update({ disabled: false });
    expect(expiry).toHaveFocus();
  });

  it('does not steal the focus', async () => {
    const { element } = mounted();
    element.focus();
    element.update({ disabled: true });
    const button = document.body.appendChild(document.createElement('button'));
    button.focus();
    element.update({ disabled: false });
    expect(button).toHaveFocus();
  });

  it('emits ready after mounting, and not after being destroyed', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { element, place } = mounted();
    const ready = vi.fn();
    element.on('ready', ready);
    expect(ready).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(ready).toHaveBeenCalledOnce();
    element.mount(place);
    element.destroy();
    element.off('ready', ready);
    expect(place).toBeEmptyDOMElement();
    vi.runAllTimers();
    expect(ready).toHaveBeenCalledOnce();
  });

  it('can be mounted by a selector, to a place that exists', () => {
    document.body.innerHTML = '<div id="card"></div>';
    new FakeCardElement().mount('#card');
    expect(screen.getByLabelText('CVC')).toBeVisible();
    expect(() => new FakeCardElement().mount('#nowhere')).toThrow('no place');
  });
});
