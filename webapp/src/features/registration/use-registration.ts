import { useEffect, useState } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import type { ApiError } from '@/api';
import { canReplaceState } from '@/lib/guard-history';
import { routes } from '@/lib/paths';
import { useDebug, useGo } from '@/modules/session/navigation';
import type { RegisteredState } from '@/modules/session/navigation-state';
import { weakPasswordMessage } from '@/modules/session/password-rules';
import { useSessionStore } from '@/modules/session/session-store';
import { checkRegistration, type Field, fields, type Registration } from '@/rules/registration';
import { clearDraft, draftOf, isCorrection, loadDraft, saveDraft } from './registration-draft';
import { failureMessagesOf } from './registration-failure';
import { type PlanChoice, payloadOf } from './registration-payload';

type SignUpState = { status: 'idle' | 'submitting' } | { status: 'failed'; message: string };

/** The form's rules as a resolver of react-hook-form. */
const resolver: Resolver<Registration> = (values) => {
  const messages = Object.entries(checkForm(values));
  const errors: FieldErrors<Registration> = Object.fromEntries(
    messages.map(([field, message]) => [field, { type: 'rule', message }]),
  );
  return { values: messages.length > 0 ? {} : values, errors };
};

/** Returns the messages of the invalid fields. */
function checkForm(values: Registration): Partial<Registration> {
  const messages = checkRegistration(values);
  if (messages.password) return messages;
  const { org: organisation, password, firstName, lastName, email } = values;
  const message = weakPasswordMessage(password, { organisation, firstName, lastName, email });
  return message ? { ...messages, password: message } : messages;
}

const emptyForm = Object.fromEntries(fields.map((field) => [field, ''])) as Registration;

/** Returns the form, `field` for the props of an input, the state of the sign-up, and `submit`, which signs up. */
export function useRegistration(choice: PlanChoice, country: string) {
  const go = useGo();
  const debug = useDebug();
  const { search, state: navigationState } = useLocation();
  const [signUpState, setSignUpState] = useState<SignUpState>({ status: 'idle' });
  const form = useForm<Registration>({
    resolver,
    mode: 'onTouched',
    defaultValues: { ...emptyForm, country, ...loadDraft() },
  });

  useEffect(() => {
    const { unsubscribe } = form.watch((values) => saveDraft(values));
    return unsubscribe;
  }, [form]);

  const correctsEmail = isCorrection(navigationState);
  useEffect(() => {
    if (correctsEmail) form.setFocus('email');
  }, [form, correctsEmail]);

  async function signUp(values: Registration) {
    setSignUpState({ status: 'submitting' });
    try {
      const payload = payloadOf(values, choice);
      await useSessionStore.getState().signUp(payload, debug);
      const { email, firstName: name } = payload;
      const state: RegisteredState = {
        ...{ email, name, choice, sentAt: Date.now() },
        form: { draft: draftOf(values), search },
      };
      clearDraft();
      // Replaces the form in the history, because after Back an empty form would be shown. Pushes the screen if the browser
      // refuses replaceState: loading its URL would lose the state.
      go(routes.registered, { state, replace: canReplaceState() });
    } catch (error) {
      const apiError = error as ApiError;
      const failure = failureMessagesOf(apiError);
      setSignUpState({ status: 'failed', message: failure.message });
      showFieldErrors(failure.fields, apiError.name === 'ERRDUPLICATE' ? 'duplicate' : 'server');
    }
  }

  /** Shows the server's messages at their fields and focuses the first one. */
  function showFieldErrors(messages: Partial<Registration>, type: 'duplicate' | 'server') {
    Object.entries(messages).forEach(([name, message], index) => {
      form.setError(name as Field, { type, message }, { shouldFocus: index === 0 });
    });
  }

  // Registers the fields in the order of the form, because a failed submit focuses the first invalid field.
  for (const name of fields) form.register(name);
  const field = (name: Field) => ({
    ...form.register(name),
    error: form.formState.errors[name]?.message,
  });

  return { form, field, signUpState, submit: form.handleSubmit(signUp) };
}
