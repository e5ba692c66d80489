import { countries } from 'virtual:countries';
import type { UseFormReturn } from 'react-hook-form';
import type { Registration } from '@/rules/registration';
import { Field } from '@/ui/Field';
import { Select } from '@/ui/Select';
import { useRegions } from './use-regions';
import type { FieldProps } from './use-registration';

/** Made once: there are 250 of them, and nothing changes them. */
const countryOptions = countries.map(([code, name]) => (
  <option key={code} value={code}>
    {name}
  </option>
));

interface AddressFieldsProps {
  form: UseFormReturn<Registration>;
  field: FieldProps;
}

/** Where invoices go. The regions to choose from follow the country. */
export function AddressFields({ form, field }: AddressFieldsProps) {
  const { onChange, ...country } = field('country');
  return (
    <>
      <Select
        label="Country"
        defaultValue={form.formState.defaultValues?.country}
        autoComplete="country"
        {...country}
        onChange={(event) => {
          form.setValue('state', '');
          return onChange(event);
        }}
      >
        <option value="">Select a country</option>
        {countryOptions}
      </Select>
      <StateField country={form.watch('country')} field={field} />
      <Field label="Billing address line 1" autoComplete="address-line1" {...field('line1')} />
      <Field
        label="Billing address line 2"
        optional
        autoComplete="address-line2"
        {...field('line2')}
      />
      <Field label="City" autoComplete="address-level2" {...field('district')} />
      <Field label="Zip/Postal code" autoComplete="postal-code" {...field('pincode')} />
    </>
  );
}

function StateField({ country, field }: { country: string; field: FieldProps }) {
  const regions = useRegions(country);
  const common = { label: 'State/Province', autoComplete: 'address-level1', ...field('state') };
  if (regions.status === 'free') return <Field {...common} />;
  return (
    <Select {...common} key={country} aria-busy={regions.status === 'loading'}>
      <option value="">
        {regions.status === 'loading' ? 'Loading...' : 'Select a state or province'}
      </option>
      {regions.status === 'known' &&
        regions.names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </Select>
  );
}
