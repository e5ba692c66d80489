import { useState } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { type ApiError, type BillingDetails, editBillingDetails } from '@/api';
import { logFailure } from '@/lib/log';
import { reloadData } from '@/modules/session/query-client';
import {
  refreshIfSessionOver,
  sessionRenewedMessage,
  useSessionStore,
} from '@/modules/session/session-store';
import { type BillingDetailsForm, checkBillingDetails } from '@/rules/billing-details';
import { changedDetails, formErrorsOf, formOf, withoutEmptyTaxId } from './details-form';

type Field = keyof BillingDetailsForm;

/** The state of saving the form. */
export type SaveState =
  | { status: 'idle' | 'busy' | 'unchanged' | 'saved' }
  | { status: 'failed'; message: string };

/** Returns the input that shows the message of a field. The message about a tax id is shown at its number. */
const inputOf = (field: string): Field => (field === 'taxId' ? 'taxValue' : (field as Field));

const resolver: Resolver<BillingDetailsForm> = (values) => {
  const messages = Object.entries(checkBillingDetails(withoutEmptyTaxId(values)));
  const errors: FieldErrors<BillingDetailsForm> = Object.fromEntries(
    messages.map(([field, message]) => [inputOf(field), { type: 'rule', message }]),
  );
  return { values: messages.length > 0 ? {} : values, errors };
};

/**
 * The inputs in the order of the form. They are registered in this order, so that a failed submit focuses the first
 * invalid one.
 */
const inputs: Field[] = [
  'legalName',
  'billingEmail',
  'phone',
  'purchaseOrder',
  'country',
  'state',
  'line1',
  'line2',
  'district',
  'pincode',
  'taxType',
  'taxValue',
];

/**
 * Returns the form for billing details. `field` returns the props of an input, `register` those of a checkbox. `submit`
 * saves the changes; `storedDetails` are the last saved details.
 */
export function useDetailsForm(loadedDetails: BillingDetails) {
  const [storedDetails, setStoredDetails] = useState(loadedDetails);
  const [saveState, setSaveState] = useState<SaveState>({ status: 'idle' });
  const refresh = useSessionStore((store) => store.refresh);
  const form = useForm<BillingDetailsForm>({
    resolver,
    mode: 'onTouched',
    defaultValues: formOf(loadedDetails),
  });

  async function save(values: BillingDetailsForm) {
    const edit = changedDetails(values, storedDetails);
    if (Object.keys(edit).length === 0) return setSaveState({ status: 'unchanged' });
    setSaveState({ status: 'busy' });
    try {
      const details = await editBillingDetails(edit);
      if (edit.address) await refresh(); // the address determines the time zone of all dates
      void reloadData();
      setStoredDetails(details);
      form.reset(formOf(details));
      setSaveState({ status: 'saved' });
    } catch (error) {
      logFailure('The billing details could not be saved', error);
      const isSessionOver = await refreshIfSessionOver(error);
      const { fields, message } = formErrorsOf(error as ApiError);
      setSaveState({ status: 'failed', message: isSessionOver ? sessionRenewedMessage : message });
      fields.forEach(([field, fieldMessage], index) => {
        const fieldError = { type: 'server', message: fieldMessage };
        form.setError(inputOf(field), fieldError, { shouldFocus: index === 0 });
      });
    }
  }

  for (const name of inputs) form.register(name);
  const register = (name: Field) =>
    form.register(name, {
      onChange: () =>
        setSaveState((current) => (current.status === 'busy' ? current : { status: 'idle' })),
    });
  const field = (name: Field) => ({
    ...register(name),
    error: form.formState.errors[name]?.message,
  });

  return { form, register, field, storedDetails, saveState, submit: form.handleSubmit(save) };
}
