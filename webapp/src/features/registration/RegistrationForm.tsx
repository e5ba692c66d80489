import { Link } from 'react-router-dom';
import { AddressFields } from '@/components/AddressFields';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { ForgotPasswordLink } from '@/components/ForgotPasswordLink';
import { FormGroup } from '@/components/FormGroup';
import { Notice } from '@/components/Notice';
import { PasswordChecklist, PasswordField } from '@/components/PasswordField';
import { paths } from '@/lib/paths';
import { useDebugParam } from '@/lib/use-debug-param';
import { emailKey } from '@/rules/contact';
import type { Choice } from './registration-payload';
import { useRegistration } from './use-registration';

/** The registration form of an organisation. */
export function RegistrationForm({ choice, country }: { choice: Choice; country: string }) {
  const { form, field, sending, submit } = useRegistration(choice, country);
  const { onChange, ...password } = field('password');
  return (
    <form onSubmit={submit} noValidate className="space-y-10">
      <FormGroup title="You and your organisation">
        <Field label="First name" autoComplete="given-name" {...field('firstName')} />
        <Field label="Last name" autoComplete="family-name" {...field('lastName')} />
        <Field label="Organization" autoComplete="organization" {...field('org')} />
      </FormGroup>
      <FormGroup title="How you sign in">
        <Field
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          {...field('email')}
        />
        {form.formState.errors.email?.type === 'duplicate' && (
          <RegisteredAlready email={emailKey(form.getValues('email'))} />
        )}
        <div className="space-y-3">
          <PasswordField
            label="Password"
            autoComplete="new-password"
            {...password}
            onChange={async (event) => {
              await onChange(event);
              if (form.getFieldState('password_repeat').isTouched) {
                await form.trigger('password_repeat');
              }
            }}
          />
          <PasswordChecklist password={form.watch('password')} />
        </div>
        <PasswordField
          label="Confirm Password"
          autoComplete="new-password"
          {...field('password_repeat')}
        />
      </FormGroup>
      <FormGroup title="Billing address">
        <AddressFields form={form} field={field} />
        <Field
          label="Phone no."
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...field('contact')}
        />
      </FormGroup>
      <div className="space-y-4">
        <Button
          type="submit"
          wide
          busy={sending.status === 'submitting'}
          busyLabel="Signing up..."
          // Blur validates a field, and its message moves this button: the field
          // keeps the focus until the click has ended, so that the click hits the button.
          onMouseDown={(event) => event.preventDefault()}
        >
          Submit
        </Button>
        {sending.status === 'failed' && sending.message && (
          <Notice tone="danger">{sending.message}</Notice>
        )}
      </div>
    </form>
  );
}

/** Links for an address that already has an account. */
function RegisteredAlready({ email }: { email: string }) {
  const debugParam = useDebugParam();
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-2">
      <Link to={paths.dash(debugParam)} state={{ email }} className="text-link">
        Sign in
      </Link>
      <ForgotPasswordLink email={email} />
    </p>
  );
}
