import { useEffect, useId } from 'react';
import { AddressFields } from '@/components/AddressFields';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { FormGroup } from '@/components/FormGroup';
import { Notice } from '@/components/Notice';
import { NewPasswordField, PasswordChecklist, PasswordField } from '@/components/PasswordField';
import { routes } from '@/lib/paths';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { ForgotPasswordLink } from '@/modules/session/ForgotPasswordLink';
import { useWeakPasswordMessage } from '@/modules/session/password-rules';
import { normalizeEmail } from '@/rules/codes';
import type { PlanChoice } from './registration-payload';
import { useRegistration } from './use-registration';
import type { Place } from './use-time-zone';

/** Describes the name pattern of the specification. */
const nameHint = 'Letters only, words separated by spaces';

interface RegistrationFormProps {
  choice: PlanChoice;
  country: string;
  /** Called with the country and the state in the form, initially and when one of them changes. */
  onPlaceChange: (place: Place) => void;
}

/** The registration form of an organisation. */
export function RegistrationForm({ choice, country, onPlaceChange }: RegistrationFormProps) {
  const { form, field, signUpState, submit } = useRegistration(choice, country);
  const [selectedCountry, state] = form.watch(['country', 'state']);
  useEffect(
    () => onPlaceChange({ country: selectedCountry, state }),
    [onPlaceChange, selectedCountry, state],
  );
  return (
    <form onSubmit={submit} noValidate className="space-y-6 @min-[52rem]:space-y-8">
      <FormGroup title="You and your organisation">
        <Field
          label="First name"
          autoComplete="given-name"
          hint={nameHint}
          {...field('firstName')}
        />
        <Field
          label="Last name"
          autoComplete="family-name"
          hint={nameHint}
          {...field('lastName')}
        />
        <Field
          label="Organization"
          autoComplete="organization"
          className="col-span-full"
          {...field('org')}
        />
      </FormGroup>
      <FormGroup title="How you sign in">
        <SignInFields form={form} field={field} />
      </FormGroup>
      <FormGroup title="Billing address">
        <AddressFields form={form} field={field} />
        <Field
          label="Phone no."
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          className="col-span-full"
          {...field('contact')}
        />
      </FormGroup>
      <div className="space-y-4 border-t border-line pt-6 @min-[40rem]:pl-[14.5rem] @min-[52rem]:pt-8">
        <Agreement />
        <Button
          type="submit"
          wide
          busy={signUpState.status === 'submitting'}
          busyLabel="Signing up..."
          // Keeps the focus in the field, which on blur could show a message that moves this button before the click ends.
          onMouseDown={(event) => event.preventDefault()}
        >
          Submit
        </Button>
        <p className="text-center text-sm text-muted">
          No charge. We ask for your card after you have verified your email.
        </p>
        {signUpState.status === 'failed' && signUpState.message && (
          <Notice tone="danger">{signUpState.message}</Notice>
        )}
      </div>
    </form>
  );
}

type SignInFieldsProps = Pick<ReturnType<typeof useRegistration>, 'form' | 'field'>;

/** The email address and the passwords. A change of the password validates the repeated password again. */
function SignInFields({ form, field }: SignInFieldsProps) {
  const { onChange, ...passwordField } = field('password');
  const [password, org, firstName, lastName, email] = form.watch([
    'password',
    'org',
    'firstName',
    'lastName',
    'email',
  ]);
  const weakMessage = useWeakPasswordMessage(password, {
    organisation: org,
    ...{ firstName, lastName, email },
  });
  const checklistId = useId();
  return (
    <>
      <Field
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        className="col-span-full"
        {...field('email')}
      />
      {form.formState.errors.email?.type === 'duplicate' && (
        <ExistingAccountLinks email={normalizeEmail(form.getValues('email'))} />
      )}
      <NewPasswordField
        label="Password"
        autoComplete="new-password"
        checklistId={checklistId}
        {...passwordField}
        onChange={async (event) => {
          await onChange(event);
          if (form.getFieldState('password_repeat').isTouched) {
            await form.trigger('password_repeat');
          }
        }}
      />
      <div className="col-span-full @md:order-1">
        <PasswordChecklist
          id={checklistId}
          password={password}
          weakMessage={weakMessage}
          error={passwordField.error}
        />
      </div>
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        {...field('password_repeat')}
      />
    </>
  );
}

/** Links to the sign-in form and the password reset, for an address that already has an account. */
function ExistingAccountLinks({ email }: { email: string }) {
  return (
    <p className="col-span-full flex flex-wrap gap-x-6 gap-y-2">
      <AppLink to={routes.dash} state={{ email }} className="text-link">
        Sign in
      </AppLink>
      <ForgotPasswordLink email={email} />
    </p>
  );
}

/** Says which terms the visitor agrees to by submitting, with links to them; renders nothing if there are none. */
function Agreement() {
  const columns = useConfig().branding.footerColumns;
  const links = columns.flatMap((column) => column.links);
  const agreementLinks = [/^terms/i, /^privacy/i].flatMap((pattern) => {
    const link = links.find(({ label }) => pattern.test(label));
    return link ? [link] : [];
  });
  if (agreementLinks.length === 0) return null;
  return (
    <p className="text-sm text-muted">
      <span>By submitting you agree to our </span>
      {agreementLinks.map(({ label, url }, index) => (
        <span key={url}>
          <span>{index > 0 && ' and '}</span>
          <a href={url} target="_blank" rel="noreferrer" className="text-link">
            {label}
          </a>
        </span>
      ))}
      <span>.</span>
    </p>
  );
}
