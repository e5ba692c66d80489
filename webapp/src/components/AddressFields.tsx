import { countryCodes } from 'virtual:countries';
import { type ChangeEvent, useEffect, useRef } from 'react';
import { type UseFormRegisterReturn, type UseFormReturn, useController } from 'react-hook-form';
import { useRegions } from '@/lib/use-regions';
import type { Address } from '@/rules/address';
import { Field } from './Field';
import { Select } from './Select';

/** Created once for the 250 countries. */
const countryOptions = countriesIn(document.documentElement.lang || 'en').map(([code, name]) => (
  <option key={code} value={code}>
    {name}
  </option>
));

interface AddressFieldsProps<Form extends Address> {
  form: UseFormReturn<Form>;
  /** Returns the props that connect a field of the form to its input. */
  field: (name: keyof Address) => UseFormRegisterReturn & { error?: string };
}

/** The billing address of a form. The country determines the regions to choose from. */
export function AddressFields<Form extends Address>({
  form: anyForm,
  field,
}: AddressFieldsProps<Form>) {
  // A form with more fields works like one with these fields only.
  const form = anyForm as unknown as UseFormReturn<Address>;
  const { country, state } = useCountryAndState(form, field);
  return (
    <>
      <Select
        label="Country"
        defaultValue={form.formState.defaultValues?.country}
        autoComplete="country"
        {...country}
      >
        <option value="">Select a country</option>
        {countryOptions}
      </Select>
      <StateField form={form} state={state} />
      <Field
        label="Billing address line 1"
        autoComplete="address-line1"
        className="col-span-full"
        {...field('line1')}
      />
      <Field
        label="Billing address line 2"
        className="col-span-full"
        optional
        autoComplete="address-line2"
        {...field('line2')}
      />
      <div className="col-span-full grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-x-4 gap-y-5">
        <Field label="City" autoComplete="address-level2" {...field('district')} />
        <Field label="Zip/Postal code" autoComplete="postal-code" {...field('pincode')} />
      </div>
    </>
  );
}

type StateProps = ReturnType<typeof useCountryAndState>['state'];

/**
 * Clears the state when the country changes, unless the browser fills in both in the same task, in either
 * order: then the state belongs to the new country.
 */
function useCountryAndState(
  form: UseFormReturn<Address>,
  field: AddressFieldsProps<Address>['field'],
) {
  const stateFilled = useRef(false);
  const country = field('country');
  const { error } = field('state');
  const { field: state } = useController({ name: 'state', control: form.control });

  function onCountryChange(event: ChangeEvent<HTMLSelectElement>) {
    if (event.target.value !== form.getValues('country')) {
      const displayed = displayedState(event.target.form);
      if (displayed !== form.getValues('state')) form.setValue('state', displayed);
      else if (!stateFilled.current) form.setValue('state', '');
    }
    return country.onChange(event);
  }

  function onStateChange(event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) {
    stateFilled.current = true;
    setTimeout(() => {
      stateFilled.current = false;
    });
    return state.onChange(event);
  }

  return {
    country: { ...country, onChange: onCountryChange },
    state: { ...state, error, onChange: onStateChange },
  };
}

/** Returns the displayed state, which the browser may have filled in before its event. */
function displayedState(form: HTMLFormElement | null): string {
  const control = form?.elements.namedItem('state');
  return control && 'value' in control ? String(control.value) : '';
}

function StateField({ form, state }: { form: UseFormReturn<Address>; state: StateProps }) {
  const country = form.watch('country');
  const regions = useRegions(country);
  const names = regions.status === 'known' ? regions.names : null;
  useEffect(() => {
    const typed = form.getValues('state');
    if (names && typed) form.setValue('state', names.find(isSameName(typed)) ?? '');
  }, [form, names]);

  const common = { label: 'State/Province', autoComplete: 'address-level1', ...state };
  const loading = regions.status === 'loading';
  if (regions.status === 'free' || (loading && regions.typed)) return <Field {...common} />;
  return (
    <Select {...common} key={country} aria-busy={loading}>
      <option value="">{loading ? 'Loading...' : 'Select a state or province'}</option>
      {loading && state.value && <option>{state.value}</option>}
      {names?.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Compares names ignoring case and accents. */
const isSameName = (typed: string) => (name: string) =>
  name.localeCompare(typed, undefined, { sensitivity: 'base' }) === 0;

/** Returns every country as code and CLDR name in a language, sorted by name. */
function countriesIn(language: string): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return countryCodes
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .sort(([, a], [, b]) => compare(a, b));
}
