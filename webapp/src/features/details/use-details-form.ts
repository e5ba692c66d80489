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
import { editOf, failureOf, formOf, withoutEmptyTaxId } from './details-form';

type Field = keyof BillingDetailsForm;

/** The state of saving the form. */
export type Saving =
  | { status: 'idle' | 'busy' | 'unchanged' | 'saved' }
  | { status: 'failed'; message: string };

/** Maps the message of the tax id to its number field. */
const inputOf = (field: string): Field => (field === 'taxId' ? 'taxValue' : (field as Field));

const resolver: Resolver<BillingDetailsForm> = (values) => {
  const invalid = Object.entries(checkBillingDetails(withoutEmptyTaxId(values)));
  const errors: FieldErrors<BillingDetailsForm> = Object.fromEntries(
    invalid.map(([field, message]) => [inputOf(field), { type: 'rule', message }]),
  );
  return { values: invalid.length > 0 ? {} : values, errors };
};

/** In the form's order, because the first invalid field is focused. */
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

/** The state of the billing details form, its fields and its submission. */
export function useDetailsForm(loaded: BillingDetails) {
  const [stored, setStored] = useState(loaded);
  const [saving, setSaving] = useState<Saving>({ status: 'idle' });
  const refresh = useSessionStore((store) => store.refresh);
  const form = useForm<BillingDetailsForm>({
    resolver,
    mode: 'onTouched',
    defaultValues: formOf(loaded),
  });

  async function save(values: BillingDetailsForm) {
    const edit = editOf(values, stored);
    if (Object.keys(edit).length === 0) return setSaving({ status: 'unchanged' });
    setSaving({ status: 'busy' });
    try {
      const details = await editBillingDetails(edit);
      if (edit.address) await refresh(); // the dates on all screens are in its time zone
      void reloadData();
      setStored(details);
      form.reset(formOf(details));
      setSaving({ status: 'saved' });
    } catch (error) {
      logFailure('The billing details could not be saved', error);
      const sessionEnded = await refreshIfSessionOver(error);
      const { fields, message } = failureOf(error as ApiError);
      setSaving({ status: 'failed', message: sessionEnded ? sessionRenewedMessage : message });
      fields.forEach(([field, text], index) => {
        form.setError(
          inputOf(field),
          { type: 'server', message: text },
          { shouldFocus: index === 0 },
        );
      });
    }
  }

  for (const name of inputs) form.register(name);
  const field = (name: Field) => ({
    ...form.register(name, { onChange: () => setSaving({ status: 'idle' }) }),
    error: form.formState.errors[name]?.message,
  });

  return { form, field, stored, saving, submit: form.handleSubmit(save) };
}
