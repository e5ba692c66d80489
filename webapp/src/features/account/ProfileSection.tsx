import { editProfile, type UserAccount } from '@/api';
import { AccountSection } from '@/components/AccountSection';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { SendResult } from '@/modules/session/SendResult';
import { useSessionStore } from '@/modules/session/session-store';
import { useSectionForm } from '@/modules/session/use-section-form';
import { checkProfile } from '@/rules/profile';

interface ProfileSectionProps {
  account: UserAccount;
  /** Loads the account again after a change. */
  reload: () => Promise<unknown>;
}

/** The form with the names and the phone number of the user. */
export function ProfileSection({ account, reload }: ProfileSectionProps) {
  const { firstName, lastName, phone } = account;
  const { field, state, submit } = useSectionForm({
    initialValues: { firstName, lastName, phone },
    check: checkProfile,
    failure: 'The profile could not be saved',
    send: async (profile) => {
      await editProfile(profile);
      await Promise.all([reload(), useSessionStore.getState().refresh()]);
    },
  });
  return (
    <AccountSection title="Profile">
      <form onSubmit={submit} noValidate className="space-y-5">
        <div className="form-fields">
          <Field label="First name" autoComplete="given-name" {...field('firstName')} />
          <Field label="Last name" autoComplete="family-name" {...field('lastName')} />
          <Field
            label="Phone no."
            optional
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            className="col-span-full"
            {...field('phone')}
          />
        </div>
        <Button type="submit" busy={state.status === 'busy'} busyLabel="Saving...">
          Save
        </Button>
        <SendResult state={state} doneTitle="Saved" failedTitle="Your profile was not saved" />
      </form>
    </AccountSection>
  );
}
