import { type ComponentProps, useState } from 'react';
import { useForm } from 'react-hook-form';
import { AddressFields } from '@/components/AddressFields';
import { Announcements } from '@/components/Announcements';
import { Button, buttonClass } from '@/components/Button';
import { Field } from '@/components/Field';
import { controlAttributes, controlClass, FieldFrame } from '@/components/FieldFrame';
import { FormGroup } from '@/components/FormGroup';
import {
  NewPasswordField,
  NewPasswordWithChecklist,
  PasswordChecklist,
  PasswordField,
} from '@/components/PasswordField';
import { RadioGroup } from '@/components/RadioGroup';
import { Select } from '@/components/Select';
import { routes } from '@/lib/paths';
import { AppLink, Redirect } from '@/modules/session/AppLink';
import { ForgotPasswordLink } from '@/modules/session/ForgotPasswordLink';
import { ResendButton, ResendVerification } from '@/modules/session/ResendVerification';
import type { Address } from '@/rules/address';
import { user } from './examples';
import { pseudoStates } from './pseudo-states';
import type { Section } from './section';

const ButtonRow = (props: ComponentProps<'div'>) => (
  <div {...props} className="flex flex-wrap items-center gap-3" />
);

const buttonVariants = ['primary', 'secondary', 'quiet', 'danger', 'unavailable'] as const;

const currencyOptions = ['AUD', 'USD', 'NZD'].map((value) => ({
  value,
  label: <span>{value}</span>,
}));

function CurrencyChoice({ locked }: { locked?: boolean }) {
  const [value, setValue] = useState('AUD');
  return (
    <RadioGroup
      legend={locked ? 'Currency, locked' : 'Currency'}
      options={currencyOptions}
      value={value}
      onChange={setValue}
      locked={locked}
    />
  );
}

const emptyAddress: Address = {
  line1: '',
  line2: '',
  district: '',
  state: '',
  pincode: '',
  country: '',
};
const anAddress: Address = {
  line1: '1 High Street',
  line2: '',
  district: 'Sydney',
  state: 'New South Wales',
  pincode: '2000',
  country: 'AU',
};

function AddressForm({ address, error }: { address: Address; error?: string }) {
  const form = useForm<Address>({ defaultValues: address });
  return (
    <form className="space-y-5">
      <AddressFields form={form} field={(name) => ({ ...form.register(name), error })} />
    </form>
  );
}

const countryOptions = ['Australia', 'New Zealand', 'United Kingdom'].map((name) => (
  <option key={name}>{name}</option>
));

/** A checkbox and a radio button with the class `check`. */
const Checks = (props: ComponentProps<'input'>) => (
  <div className="flex flex-wrap items-center gap-6">
    {['checkbox', 'radio'].map((type) => (
      <label key={type} className="flex min-h-11 items-center gap-3">
        <input {...props} type={type} className="check" />
        <span>{type === 'radio' ? 'Radio button' : 'Checkbox'}</span>
      </label>
    ))}
  </div>
);

/** Sections with buttons, fields and groups of fields. */
export const controlSections: Section[] = [
  {
    names: ['Button', 'buttonClass'],
    states: {
      ...Object.fromEntries(
        buttonVariants.map((variant) => [
          variant,
          <ButtonRow key={variant}>
            <Button variant={variant}>Subscribe</Button>
            <Button variant={variant} small>
              Small
            </Button>
            <Button variant={variant} busy>
              Subscribe
            </Button>
          </ButtonRow>,
        ]),
      ),
      ...pseudoStates(
        <ButtonRow>
          {buttonVariants.map((variant) => (
            <Button key={variant} variant={variant}>
              Subscribe
            </Button>
          ))}
        </ButtonRow>,
      ),
      wide: <Button wide>Sign In</Button>,
      'busy with a label': (
        <Button busy busyLabel="Signing up...">
          Submit
        </Button>
      ),
      disabled: <Button disabled>Sign In</Button>,
      'unavailable, but focusable': <Button unavailable>Current plan</Button>,
      'a link that looks like a button': (
        <a href="#root" className={buttonClass('secondary')}>
          See the invoice
        </a>
      ),
    },
  },
  {
    names: ['Field'],
    states: {
      empty: <Field label="First name" />,
      filled: <Field label="Organization" defaultValue="Byron Clinic" />,
      placeholder: <Field label="Tax id" placeholder="51 824 753 556" />,
      hint: <Field label="Legal name" hint="As it is to appear on invoices." />,
      error: <Field label="Email" defaultValue="ada" error="Email is invalid" />,
      'hint and error': <Field label="Phone" hint="With area code." error="Phone is required" />,
      optional: <Field label="Purchase order" optional />,
      disabled: <Field label="Billing email" defaultValue="ada@clinic.example" disabled />,
      ...pseudoStates(<Field label="Last name" />),
    },
  },
  {
    names: ['FieldFrame', 'controlAttributes', 'controlClass'],
    states: {
      'around another control': (
        <FieldFrame id="comment" label="Comment" optional hint="At most 500 characters.">
          <textarea
            {...controlAttributes({ id: 'comment', hint: 'At most 500 characters.' })}
            className={controlClass}
            rows={3}
          />
        </FieldFrame>
      ),
    },
  },
  {
    names: ['PasswordField', 'NewPasswordField', 'PasswordChecklist', 'NewPasswordWithChecklist'],
    states: {
      empty: <PasswordField label="Password" autoComplete="new-password" />,
      filled: (
        <PasswordField
          label="Current password"
          defaultValue="Passw0rd"
          autoComplete="current-password"
        />
      ),
      error: (
        <PasswordField
          label="New password"
          error="Password is required"
          autoComplete="new-password"
        />
      ),
      'policy not followed': (
        <div className="@container space-y-3">
          <NewPasswordField
            label="Password"
            error="Password policy not followed"
            autoComplete="new-password"
            checklistId="checklist"
          />
          <PasswordChecklist id="checklist" password="pass" />
        </div>
      ),
      'new password with its checklist': (
        <NewPasswordWithChecklist
          label="New password"
          value="Lindqvist-77"
          readOnly
          weakMessage="Too easy to guess: contains your name."
        />
      ),
      'checklist, none met': <PasswordChecklist password="" />,
      'checklist, some met': <PasswordChecklist password="password" />,
      'checklist, all met': <PasswordChecklist password="Tide-And-Time-7" />,
    },
  },
  {
    names: ['Select'],
    states: {
      filled: <Select label="Country">{countryOptions}</Select>,
      hint: (
        <Select label="Country of the tax id" hint="Determines its form.">
          {countryOptions}
        </Select>
      ),
      error: (
        <Select label="State/Province" error="State is required">
          <option value="">Select a state or province</option>
        </Select>
      ),
      optional: (
        <Select label="Reason" optional>
          <option value="">Select a reason</option>
        </Select>
      ),
      disabled: (
        <Select label="Currency of the account" disabled>
          <option>AUD</option>
        </Select>
      ),
      ...pseudoStates(<Select label="Country of residence">{countryOptions}</Select>),
    },
  },
  {
    names: ['RadioGroup'],
    states: {
      'one selected': <CurrencyChoice />,
      locked: <CurrencyChoice locked />,
      ...pseudoStates(<CurrencyChoice />),
    },
  },
  {
    names: ['check'],
    states: {
      unchecked: <Checks />,
      checked: <Checks defaultChecked />,
      disabled: <Checks disabled defaultChecked />,
      ...pseudoStates(<Checks />),
    },
  },
  {
    names: ['FormGroup'],
    states: {
      'with fields': (
        <FormGroup title="Administrator">
          <Field label="Given name" />
          <Field label="Family name" />
        </FormGroup>
      ),
    },
  },
  {
    names: ['AddressFields'],
    states: {
      empty: <AddressForm address={emptyAddress} />,
      filled: <AddressForm address={anAddress} />,
      errors: <AddressForm address={emptyAddress} error="This field is required" />,
    },
  },
  {
    names: ['AppLink', 'Redirect'],
    states: {
      link: (
        <AppLink to={routes.invoices} className="text-link">
          All invoices
        </AppLink>
      ),
      ...pseudoStates(
        <AppLink to={routes.invoices} className="text-link">
          All invoices
        </AppLink>,
      ),
      'redirect to this screen': <Redirect to={routes.billing} />,
    },
  },
  {
    names: ['ForgotPasswordLink'],
    states: { link: <ForgotPasswordLink email={user.email} /> },
  },
  {
    names: ['ResendVerification', 'ResendButton'],
    states: {
      'not sent yet': <ResendVerification email={user.email} />,
      'sent a moment ago': (
        <ResendButton
          label="Send the email again"
          send={async () => {}}
          sentMessage="A new link is on its way."
          sentAt={Date.now()}
        />
      ),
      'for another email': (
        <ResendButton
          label="Send the link"
          send={async () => {}}
          sentMessage="A link is on its way to ada@clinic.example."
        />
      ),
    },
  },
  {
    names: ['Announcements', 'useAnnouncement'],
    states: {
      'announces the busy buttons to screen readers': (
        <>
          <p>This component shows nothing.</p>
          <Announcements />
        </>
      ),
    },
  },
];
