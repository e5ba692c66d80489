import { useEffect, useState } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import type { ApiError } from '@/api';
import { routes } from '@/lib/paths';
import { useDebug, useGo } from '@/modules/session/navigation';
import type { RegisteredState } from '@/modules/session/navigation-state';
import { useSessionStore } from '@/modules/session/session-store';
import { checkRegistration, type Field, fields, type Registration } from '@/rules/registration';
import { clearDraft, loadDraft, saveDraft } from './registration-draft';
import { failureOf } from './registration-failure';
import { type Choice, payloadOf } from './registration-payload';

type Sending = { status: 'idle' | 'submitting' } | { status: 'failed'; message: string };

/** The form's rules as a resolver of react-hook-form. */
const resolver: Resolver<Registration> = (values) => {
  const broken = Object.entries(checkRegistration(values));
  const errors: FieldErrors<Registration> = Object.fromEntries(
    broken.map(([field, message]) => [field, { type: 'rule', message }]),
  );
  return { values: broken.length > 0 ? {} : values, errors };
};

const empty = Object.fromEntries(fields.map((field) => [field, ''])) as Registration;

/** The props that connect a field of the form to its input. */
export type FieldProps = ReturnType<typeof useRegistration>['field'];

/** The state of the registration form, its fields and its submission. */
export function useRegistration(choice: Choice, country: string) {
  const go = useGo();
  const debug = useDebug();
  const [sending, setSending] = useState<Sending>({ status: 'idle' });
  const form = useForm<Registration>({
    resolver,
    mode: 'onTouched',
    defaultValues: { ...empty, country, ...loadDraft() },
  });

  useEffect(() => {
    const { unsubscribe } = form.watch((values) => saveDraft(values));
    return unsubscribe;
  }, [form]);

  async function send(values: Registration) {
    setSending({ status: 'submitting' });
    try {
      const payload = payloadOf(values, choice);
      await useSessionStore.getState().signUp(payload, debug);
      const { email, firstName: name } = payload;
      const state: RegisteredState = { email, name, choice, sentAt: Date.now() };
      clearDraft();
      // Replaces the form in the history: after Back it would be empty although the account exists.
      go(routes.registered, { state, replace: true });
    } catch (error) {
      const failure = failureOf(error as ApiError);
      setSending({ status: 'failed', message: failure.message });
      showFieldErrors(
        failure.fields,
        (error as ApiError).name === 'ERRDUPLICATE' ? 'duplicate' : 'server',
      );
    }
  }

  /** Shows the server's messages at their fields and focuses the first one. */
  function showFieldErrors(messages: Partial<Registration>, type: 'duplicate' | 'server') {
    Object.entries(messages).forEach(([name, message], index) => {
      form.setError(name as Field, { type, message }, { shouldFocus: index === 0 });
    });
  }

  // In the form's order, so that the first invalid field is focused.
  for (const name of fields) form.register(name);
  const field = (name: Field) => ({
    ...form.register(name),
    error: form.formState.errors[name]?.message,
  });

  return { form, field, sending, submit: form.handleSubmit(send) };
}
