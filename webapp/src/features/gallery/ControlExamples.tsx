import { useState } from 'react';
import { Button } from '@/components/Button';
import { CurrencyFlag } from '@/components/CurrencyFlag';
import { Field } from '@/components/Field';
import { FormGroup } from '@/components/FormGroup';
import { PasswordChecklist, PasswordField } from '@/components/PasswordField';
import { RadioGroup } from '@/components/RadioGroup';
import { SendAgain } from '@/components/ResendVerification';
import { Select } from '@/components/Select';
import { Example, Examples } from './Examples';

const looks = ['primary', 'secondary', 'quiet', 'danger'] as const;

/** Buttons, toggles and form fields. */
export const ControlExamples = () => (
  <>
    <Examples title="Buttons">
      {looks.map((look) => (
        <Example key={look} name={look}>
          <div className="flex flex-wrap gap-3">
            <Button look={look}>Save</Button>
            <Button look={look} small>
              Small
            </Button>
            <Button look={look} busy>
              Busy
            </Button>
            <Button look={look} busy busyLabel="Saving...">
              Save
            </Button>
            <Button look={look} disabled>
              Disabled
            </Button>
            <Button look={look} unavailable>
              Unavailable
            </Button>
          </div>
        </Example>
      ))}
      <Example name="the width of its container">
        <Button wide>Start your free trial</Button>
      </Example>
      <Example name="sends an email again, after one was sent">
        <SendAgain label="Send again" send={() => undefined} sent="" sentAt={Date.now()} />
      </Example>
    </Examples>
    <Examples title="Toggles">
      <Example name="selectable">
        <Toggle legend="Interval" />
      </Example>
      <Example name="locked">
        <Toggle legend="Locked interval" locked />
      </Example>
      <Example name="flags: sm, md, lg, xl, and an unknown currency">
        <p className="flex flex-wrap items-center gap-3">
          {(['sm', 'md', 'lg', 'xl'] as const).map((size) => (
            <CurrencyFlag key={size} code="AUD" size={size} alt={`AUD in ${size}`} />
          ))}
          <CurrencyFlag code="XXX" alt="an unknown currency" />
        </p>
      </Example>
    </Examples>
    <Examples title="Fields">
      <Example name="text">
        <Field label="Organization" defaultValue="Harbour Physiotherapy" />
      </Example>
      <Example name="with a hint">
        <Field label="First name" hint="Letters only, words separated by spaces" />
      </Example>
      <Example name="optional">
        <Field label="Billing address line 2" optional placeholder="Suite 4" />
      </Example>
      <Example name="with an error">
        <Field label="Email" defaultValue="mara@" error="Invalid email address!" />
      </Example>
      <Example name="disabled">
        <Field label="City" defaultValue="Sydney" disabled />
      </Example>
      <Example name="password">
        <PasswordField label="Password" defaultValue="harbourlight" autoComplete="off" />
        <div className="mt-3">
          <PasswordChecklist password="harbourlight" />
        </div>
      </Example>
      <Example name="selection">
        <Select label="Country">
          <option>Australia</option>
        </Select>
      </Example>
      <Example name="selection with an error">
        <Select label="State/Province" error="state is required">
          <option>Select a state or province</option>
        </Select>
      </Example>
      <div className="md:col-span-2">
        <FormGroup title="A group of fields">
          <Field label="Zip/Postal code" />
          <Field label="Phone no." type="tel" />
        </FormGroup>
      </div>
    </Examples>
  </>
);

function Toggle({ legend, locked }: { legend: string; locked?: boolean }) {
  const [value, setValue] = useState('yearly');
  return (
    <RadioGroup
      legend={legend}
      options={[
        { value: 'yearly', label: 'Annual billing' },
        { value: 'monthly', label: 'Monthly billing' },
      ]}
      value={value}
      onChange={setValue}
      locked={locked}
    />
  );
}
