import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { countryCode } from '@/rules/address';
import type { BillingDetailsForm } from '@/rules/billing-details';
import { type TaxIdType, taxIdTypes } from '@/rules/tax-id';
import { taxIdNames } from './details-form';
import type { useDetailsForm } from './use-details-form';

interface TaxIdFieldsProps {
  form: UseFormReturn<BillingDetailsForm>;
  field: ReturnType<typeof useDetailsForm>['field'];
}

/** The tax id. The country determines its type; countries with several types have a choice. */
export function TaxIdFields({ form, field }: TaxIdFieldsProps) {
  const types = taxIdTypes(countryCode(form.watch('country')));
  const type = form.watch('taxType');
  const fitting = types.find((name) => name === type) ?? types[0] ?? '';
  useEffect(() => {
    if (fitting === form.getValues('taxType')) return;
    form.setValue('taxType', fitting);
    form.setValue('taxValue', '');
    form.clearErrors('taxValue');
  }, [form, fitting]);

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
        <Select label="Type of tax id" {...field('taxType')} value={fitting}>
          {types.map((name) => (
            <option key={name} value={name}>
              {taxIdNames[name]}
            </option>
          ))}
        </Select>
      )}
      <Field
        label={taxIdNames[fitting as TaxIdType]}
        optional
        autoComplete="off"
        autoCapitalize="characters"
        {...field('taxValue')}
      />
    </>
  );
}
