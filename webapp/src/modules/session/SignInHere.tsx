import { Call } from '@/components/illustrations/Call';
import { PageTitle } from '@/components/PageTitle';
import { PicturePage } from '@/components/PicturePage';
import { SignInFailure } from './SignInFailure';
import { SignInForm } from './SignInForm';

interface SignInHereProps {
  title: string;
  text: string;
  /** The user whose session has ended: signing in again shows what was entered, so nothing leads away. */
  email?: string;
}

/** A sign-in form in place of a screen, which is shown afterwards. */
export function SignInHere({ title, text, email }: SignInHereProps) {
  return (
    <PicturePage picture={<Call className="w-full" />}>
      <div className="max-w-100">
        <SignInForm
          email={email}
          hasReset={!email}
          above={(attempt) => (
            <>
              <PageTitle focused>{title}</PageTitle>
              <p className="mt-3 text-muted">{text}</p>
              <SignInFailure {...attempt} />
            </>
          )}
        />
      </div>
    </PicturePage>
  );
}
