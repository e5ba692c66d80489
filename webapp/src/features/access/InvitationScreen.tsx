import { type ReactNode, useState } from 'react';
import type { ApiError } from '@/api';
import {
  acceptInvitation,
  type LinkedInvitation,
  type NewUser,
  showInvitation,
} from '@/api/members';
import { Button, buttonClass } from '@/components/Button';
import { Field } from '@/components/Field';
import { Loading } from '@/components/Loading';
import { NewPasswordWithChecklist } from '@/components/PasswordField';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { useGo } from '@/modules/session/navigation';
import { useWeakPasswordMessage } from '@/modules/session/password-rules';
import { roleNames } from '@/modules/session/role-names';
import { SendResult } from '@/modules/session/SendResult';
import { SignInFailure } from '@/modules/session/SignInFailure';
import { SignInForm } from '@/modules/session/SignInForm';
import { useSession, useSessionStore } from '@/modules/session/session-store';
import { useSectionForm } from '@/modules/session/use-section-form';
import { invalidOnly } from '@/rules/messages';
import { passwordMessage } from '@/rules/password';
import { checkProfile } from '@/rules/profile';
import { AccessFrame } from './AccessFrame';
import { LinkScreen } from './LinkScreen';
import { OtherAccount } from './OtherAccount';

/**
 * The page of the link in an invitation. Only the buttons accept it, because mail programs open the links of emails too.
 */
export default function InvitationScreen() {
  const session = useSession();
  // Part of the key, because the step depends on the user.
  const userId = session.status === 'signedIn' ? session.user.id : session.status;
  // Keeps the key when joining changes the user, because a used invitation can't be loaded again.
  const [joiningUserId, setJoiningUserId] = useState<string>();
  if (session.status === 'loading') {
    return (
      <AccessFrame title="Your invitation">
        <Loading />
      </AccessFrame>
    );
  }
  return (
    <LinkScreen
      key={joiningUserId ?? userId}
      title="Your invitation"
      load={showInvitation}
      unknownLinkTitle="This link no longer works"
      unknownLinkHelp={<UnknownLinkHelp />}
    >
      {(invitation, token) => (
        <LoadedInvitation
          invitation={invitation}
          token={token}
          onJoined={() => setJoiningUserId(userId)}
        />
      )}
    </LinkScreen>
  );
}

function UnknownLinkHelp() {
  return (
    <>
      <p className="mt-4">Ask for a new invitation.</p>
      <AppLink to={routes.dash} className={`${buttonClass('secondary', true)} mt-6`}>
        Go to your dashboard
      </AppLink>
    </>
  );
}

interface LoadedInvitationProps {
  invitation: LinkedInvitation;
  token: string;
  /** Called when the server has accepted the invitation, before the session changes. */
  onJoined: () => void;
}

function LoadedInvitation(props: LoadedInvitationProps) {
  const [isUnusable, setIsUnusable] = useState(false);
  if (isUnusable) {
    return (
      <AccessFrame title="This link no longer works" focusOnMount>
        <UnknownLinkHelp />
      </AccessFrame>
    );
  }
  const stepProps = { ...props, onUnusable: () => setIsUnusable(true) };
  switch (props.invitation.step) {
    case 'register':
      return <RegisterStep {...stepProps} />;
    case 'sign_in':
      return <SignInStep {...stepProps} />;
    case 'sign_out':
      return <SignOutStep {...stepProps} />;
    default:
      return <JoinStep {...stepProps} />;
  }
}

interface StepProps extends LoadedInvitationProps {
  /** Called when the server does not know the link any more. */
  onUnusable: () => void;
}

interface InvitationFrameProps extends Pick<LoadedInvitationProps, 'invitation'> {
  children: ReactNode;
}

function InvitationFrame({ invitation, children }: InvitationFrameProps) {
  const { organisation, email, role, inviter } = invitation;
  return (
    <AccessFrame title={`Join ${organisation}`}>
      <p className="mt-4 wrap-anywhere">
        {`${organisation} invites ${email} as ${roleNames[role]}.`}
      </p>
      {inviter && <p className="mt-1 text-muted wrap-anywhere">{`Sent by ${inviter}`}</p>}
      <div className="mt-6 space-y-4">{children}</div>
    </AccessFrame>
  );
}

/**
 * Returns a function that accepts the invitation and opens the dashboard of the organisation. Rejects with the error of the
 * server, but calls `onUnusable` if the server does not know the link any more.
 */
function useAccept({ token, onJoined, onUnusable }: StepProps) {
  const go = useGo();
  return async (newUser?: NewUser) => {
    try {
      await acceptInvitation(token, newUser);
    } catch (error) {
      if ((error as ApiError).status !== 404) throw error;
      logFailure('The invitation could not be accepted', error);
      return onUnusable();
    }
    onJoined();
    await useSessionStore.getState().adoptOrganisation();
    go(routes.dash, { replace: true });
  };
}

/** The form for an invited user without an account. */
function RegisterStep(props: StepProps) {
  const { invitation } = props;
  const accept = useAccept(props);
  const { values, errors, field, state, submit } = useSectionForm({
    initialValues: { firstName: '', lastName: '', password: '' },
    check: ({ password, ...names }) => ({
      ...checkProfile({ ...names, phone: '' }),
      ...invalidOnly([['password', passwordMessage(password) || weakMessage]]),
    }),
    failure: 'The invitation could not be accepted',
    send: accept,
  });
  const { firstName, lastName } = values;
  const { organisation, email } = invitation;
  const weakMessage = useWeakPasswordMessage(values.password, {
    ...{ organisation, firstName, lastName, email },
  });
  return (
    <InvitationFrame invitation={invitation}>
      <form onSubmit={submit} noValidate className="space-y-5">
        <Field label="First name" autoComplete="given-name" {...field('firstName')} />
        <Field label="Last name" autoComplete="family-name" {...field('lastName')} />
        {/* Password managers store the password for this address. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordWithChecklist
          label="Password"
          {...field('password')}
          error={errors.password}
          weakMessage={weakMessage}
        />
        <Button type="submit" wide busy={state.status === 'busy'}>
          Join
        </Button>
        <SendResult state={state} doneTitle="You joined" failedTitle="You have not joined yet" />
      </form>
    </InvitationFrame>
  );
}

/** The sign-in form for an invited user with an account. After it, the screen is loaded again with the next step. */
function SignInStep({ invitation }: StepProps) {
  return (
    <InvitationFrame invitation={invitation}>
      <SignInForm
        email={invitation.email}
        renderHeading={(attempt) => (
          <SignInFailure {...attempt}>
            <p>You have an account with this address. Sign in to join.</p>
          </SignInFailure>
        )}
      />
    </InvitationFrame>
  );
}

/** The button with which the signed-in user joins the organisation, or switches to it as a member. */
function JoinStep(props: StepProps) {
  const { invitation } = props;
  const accept = useAccept(props);
  const { state, submit } = useSectionForm({
    initialValues: {},
    check: () => ({}),
    failure: 'The invitation could not be accepted',
    send: () => accept(),
  });
  return (
    <InvitationFrame invitation={invitation}>
      {invitation.step === 'switch' && <p>You are a member already.</p>}
      <form onSubmit={submit} className="space-y-5">
        <Button type="submit" wide busy={state.status === 'busy'}>
          {invitation.step === 'switch' ? `Go to ${invitation.organisation}` : 'Join'}
        </Button>
        <SendResult state={state} doneTitle="You joined" failedTitle="You have not joined yet" />
      </form>
    </InvitationFrame>
  );
}

/** Asks a user with another account to sign out. */
function SignOutStep({ invitation }: StepProps) {
  const session = useSession();
  const email = session.status === 'signedIn' ? session.user.email : '';
  return (
    <OtherAccount title={`Join ${invitation.organisation}`}>
      <p className="mt-4 wrap-anywhere">
        {`You are signed in as ${email || 'someone else'}. This invitation is for ${invitation.email}.`}
      </p>
    </OtherAccount>
  );
}
