import { useLayoutEffect } from 'react';
import { VideoCall } from '@/components/illustrations/VideoCall';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { closeDialogs } from '@/lib/dialog';
import { SignInFailure } from './SignInFailure';
import { SignInForm } from './SignInForm';

interface InlineSignInProps {
  title: string;
  text: string;
  /** The email of the user whose session has ended. The form then has no links, so that the input in the screen is kept. */
  email?: string;
}

/** A sign-in form in place of a screen. The screen is shown after signing in. */
export function InlineSignIn({ title, text, email }: InlineSignInProps) {
  useLayoutEffect(closeDialogs, []); // before the heading receives the focus
  return (
    <PicturePage isForm picture={<VideoCall className="w-full" />}>
      <SignInForm
        email={email}
        hasResetLink={!email}
        renderHeading={(attempt) => (
          <>
            <PageTitle focusOnMount>{title}</PageTitle>
            <p className="mt-3 text-muted">{text}</p>
            <SignInFailure {...attempt} />
          </>
        )}
      />
    </PicturePage>
  );
}
