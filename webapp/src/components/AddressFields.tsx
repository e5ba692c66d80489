import { countryCodes } from 'virtual:countries';
import { type ChangeEvent, useEffect, useRef } from 'react';
import { type UseFormRegisterReturn, type UseFormReturn, useController } from 'react-hook-form';
import { countryNames, textOrder } from '@/lib/intl/names';
import { useRegions } from '@/lib/use-regions';
import type { Address } from '@/rules/address';
import { Field } from './Field';
import { Select } from './Select';

const compareTexts = textOrder();

/** The options of all 250 countries, created once and not for each form. */
const countryOptions = localizedCountries().map(([code, name]) => (
  <option key={code} value={code}>
    {name}
  </option>
));

interface AddressFieldsProps<Form extends Address> {
  form: UseFormReturn<Form>;
  /** Returns the props that connect a field of the form to its input. */
  field: (name: keyof Address) => UseFormRegisterReturn & { error?: string };
}

/** The fields of the billing address. The country determines the regions to choose from. */
export function AddressFields<Form extends Address>({
  form: fullForm,
  field,
}: AddressFieldsProps<Form>) {
  // This component uses only the address fields of the form.
  const form = fullForm as unknown as UseFormReturn<Address>;
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

/**
 * Returns the props of both inputs. A change of the country clears the state, unless the browser fills in both in the same
 * task, in either order.
 */
function useCountryAndState(
  form: UseFormReturn<Address>,
  field: AddressFieldsProps<Address>['field'],
) {
  const isStateJustSet = useRef(false);
  const country = field('country');
  const { error } = field('state');
  const { field: state } = useController({ name: 'state', control: form.control });

  function onCountryChange(event: ChangeEvent<HTMLSelectElement>) {
    if (event.target.value !== form.getValues('country')) {
      const stateInPage = displayedState(event.target.form);
      if (stateInPage !== form.getValues('state')) form.setValue('state', stateInPage);
      else if (!isStateJustSet.current) form.setValue('state', '');
    }
    return country.onChange(event);
  }

  function onStateChange(event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) {
    isStateJustSet.current = true;
    setTimeout(() => {
      isStateJustSet.current = false;
    });
    return state.onChange(event);
  }

  return {
    country: { ...country, onChange: onCountryChange },
    state: { ...state, error, onChange: onStateChange },
  };
}

/** Returns the displayed state, which the browser may have filled in without an event yet. */
function displayedState(form: HTMLFormElement | null): string {
  const control = form?.elements.namedItem('state');
  return control && 'value' in control ? String(control.value) : '';
}

interface StateFieldProps {
  form: UseFormReturn<Address>;
  state: ReturnType<typeof useCountryAndState>['state'];
}

/** Shows a select with the regions of the country, or a text field if the country has no list of regions. */
function StateField({ form, state }: StateFieldProps) {
  const country = form.watch('country');
  const regions = useRegions(country);
  const names = regions.status === 'known' ? regions.names : null;
  useEffect(() => {
    const typedName = form.getValues('state');
    if (names && typedName) {
      form.setValue('state', names.find((name) => isSameName(name, typedName)) ?? '');
    }
  }, [form, names]);

  const fieldProps = { label: 'State/Province', autoComplete: 'address-level1', ...state };
  const isLoading = regions.status === 'loading';
  if (regions.status === 'free' || (isLoading && regions.wasTyped))
    return <Field {...fieldProps} />;
  return (
    <Select {...fieldProps} key={country} aria-busy={isLoading}>
      <option value="">{isLoading ? 'Loading...' : 'Select a state or province'}</option>
      {isLoading && state.value && <option>{state.value}</option>}
      {names?.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  );
}

/** Compares names without regard to case and accents. */
const isSameName = (a: string, b: string): boolean => compareTexts(a, b) === 0;

/** Returns every country as code and CLDR name in the language of the page, sorted by name. */
function localizedCountries(): [code: string, name: string][] {
  const nameOf = countryNames();
  return countryCodes
    .map((code): [string, string] => [code, nameOf(code)])
    .sort(([, a], [, b]) => compareTexts(a, b));
}
