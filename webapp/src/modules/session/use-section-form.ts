import { type FormEvent, useRef, useState } from 'react';
import type { ApiError } from '@/api';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver, sessionRenewedMessage } from './session-store';

type Values = Record<string, string>;

/** The state of sending a form. */
export type SendState =
  | { status: 'idle' | 'busy' | 'done' }
  | { status: 'failed'; message: string; fields: Readonly<Values> };

/**
 * Logs the failure of a call and returns its message. Refreshes a session that was over, so that the screen shows a sign-in
 * form.
 */
export async function reportFailure(failure: string, error: unknown): Promise<string> {
  logFailure(failure, error);
  return (await refreshIfSessionOver(error)) ? sessionRenewedMessage : messageOf(error);
}

/** Runs `send` and returns the state after it. Logs a failure. */
export async function sendStateAfter(
  failure: string,
  send: () => Promise<void>,
): Promise<SendState> {
  try {
    await send();
    return { status: 'done' };
  } catch (error) {
    const message = await reportFailure(failure, error);
    return { status: 'failed', message, fields: (error as ApiError).fields };
  }
}

interface SectionFormOptions<V extends Values> {
  initialValues: V;
  /** Returns the messages of the invalid fields, in the form's order. */
  check: (values: V) => Partial<V>;
  send: (values: V) => Promise<void>;
  /** The log message of a failure. */
  failure: string;
  /** Whether the fields are emptied after the values were sent. */
  isEmptiedWhenDone?: boolean;
}

/**
 * Returns a form of an account or members screen. `field` returns the props of an input, and `reset` removes the result of
 * the last submit. Messages about fields are shown at the fields, and the first invalid one gets the focus.
 */
export function useSectionForm<V extends Values>(options: SectionFormOptions<V>) {
  const { initialValues, check, send, failure, isEmptiedWhenDone = false } = options;
  const [values, setValues] = useState(initialValues);
  const [errors, setErrors] = useState<Partial<V>>({});
  const [state, setState] = useState<SendState>({ status: 'idle' });
  const inputs = useRef<Record<string, HTMLInputElement | null>>({});

  function showErrors(messages: Partial<V>) {
    setErrors(messages);
    const [firstName] = Object.keys(messages);
    if (firstName !== undefined) inputs.current[firstName]?.focus();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state.status === 'busy') return;
    const messages = check(values);
    showErrors(messages);
    if (Object.keys(messages).length > 0) return setState({ status: 'idle' });
    setState({ status: 'busy' });
    const result = await sendStateAfter(failure, () => send(values));
    if (result.status === 'done' && isEmptiedWhenDone) setValues(initialValues);
    const fieldMessages = Object.entries(result.status === 'failed' ? result.fields : {}).filter(
      ([name]) => name in initialValues,
    );
    setState(fieldMessages.length > 0 ? { status: 'idle' } : result);
    showErrors(Object.fromEntries(fieldMessages) as Partial<V>);
  }

  const field = (name: keyof V & string) => ({
    ref: (input: HTMLInputElement | null) => {
      inputs.current[name] = input;
    },
    value: values[name] ?? '',
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setValues((current) => ({ ...current, [name]: target.value }));
      setErrors((current) => ({ ...current, [name]: undefined }));
      setState((current) => (current.status === 'busy' ? current : { status: 'idle' }));
    },
    error: errors[name],
  });

  const reset = () => setState({ status: 'idle' });

  return { values, errors, field, state, submit, reset };
}
