import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { taxIdNames } from '@/modules/billing/details-text';
import { countryCode } from '@/rules/address';
import type { BillingDetailsForm } from '@/rules/billing-details';
import { type TaxIdType, taxIdTypes } from '@/rules/tax-id';
import type { useDetailsForm } from './use-details-form';

interface TaxIdFieldsProps {
  form: UseFormReturn<BillingDetailsForm>;
  field: ReturnType<typeof useDetailsForm>['field'];
}

/** The fields of the tax id. The country determines its type; some countries have a choice of types. */
export function TaxIdFields({ form, field }: TaxIdFieldsProps) {
  const types = taxIdTypes(countryCode(form.watch('country')));
  const selectedType = form.watch('taxType');
  // Falls back to the first type of the country if the selected type belongs to another country.
  const type = types.find((name) => name === selectedType) ?? types[0] ?? '';
  useEffect(() => {
    if (type === form.getValues('taxType')) return;
    form.setValue('taxType', type);
    form.setValue('taxValue', '');
    form.clearErrors('taxValue');
  }, [form, type]);

  if (types.length === 0) {
    return (
      <p className="text-muted">
        We have no tax id for this country. Invoices are made out without one.
      </p>
    );
  }
  return (
    <>
      {types.length > 1 && (
        <Select label="Type of tax id" {...field('taxType')} value={type}>
          {types.map((name) => (
            <option key={name} value={name}>
              {taxIdNames[name]}
            </option>
          ))}
        </Select>
      )}
      <Field
        label={taxIdNames[type as TaxIdType]}
        optional
        autoComplete="off"
        autoCapitalize="characters"
        {...field('taxValue')}
      />
    </>
  );
}
