import { changePassword, type UserAccount } from '@/api';
import { AccountSection } from '@/components/AccountSection';
import { Button } from '@/components/Button';
import { NewPasswordWithChecklist, PasswordField } from '@/components/PasswordField';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { ForgotPasswordLink } from '@/modules/session/ForgotPasswordLink';
import { useWeakPasswordMessage, weakPasswordMessage } from '@/modules/session/password-rules';
import { SendResult } from '@/modules/session/SendResult';
import type { User } from '@/modules/session/session-store';
import { useSectionForm } from '@/modules/session/use-section-form';
import { invalidOnly } from '@/rules/messages';
import { passwordMessage, repeatMessage } from '@/rules/password';

interface PasswordSectionProps {
  account: UserAccount;
  organisation: User['org'];
  /** Loads the account again after a change. */
  reload: () => Promise<unknown>;
}

const emptyForm = { current: '', password: '', password_repeat: '' };

/** The form that changes the password. */
export function PasswordSection({ account, organisation, reload }: PasswordSectionProps) {
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const { firstName, lastName, email } = account;
  const context = { organisation: organisation.name, firstName, lastName, email };
  const { values, field, state, submit } = useSectionForm({
    initialValues: emptyForm,
    isEmptiedWhenDone: true,
    check: (form) => checkPasswords(form, weakPasswordMessage(form.password, context)),
    failure: 'The password could not be changed',
    send: async ({ current, password, password_repeat }) => {
      await callWithConfirmation(() => changePassword(current, password, password_repeat));
      await reload();
    },
  });
  const weakMessage = useWeakPasswordMessage(values.password, context);
  return (
    <AccountSection title="Password" description="A change signs you out in all other browsers.">
      <form onSubmit={submit} noValidate className="space-y-5">
        {/* Password managers store the new password for this address. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...field('current')}
        />
        <p>
          <ForgotPasswordLink email={email} />
        </p>
        <NewPasswordWithChecklist
          label="New password"
          weakMessage={weakMessage}
          {...field('password')}
        />
        <PasswordField
          label="Confirm new password"
          autoComplete="new-password"
          {...field('password_repeat')}
        />
        <Button
          variant="secondary"
          type="submit"
          busy={state.status === 'busy'}
          busyLabel="Changing..."
        >
          Change password
        </Button>
        <SendResult
          state={state}
          doneTitle="Your password is changed"
          doneText="You are signed out in all other browsers."
          failedTitle="Your password was not changed"
        />
      </form>
      {dialog}
    </AccountSection>
  );
}

function checkPasswords(form: typeof emptyForm, weakMessage: string): Partial<typeof emptyForm> {
  return invalidOnly([
    ['current', form.current === '' ? 'Password is required' : ''],
    ['password', passwordMessage(form.password) || weakMessage],
    ['password_repeat', repeatMessage(form.password, form.password_repeat)],
  ]);
}
