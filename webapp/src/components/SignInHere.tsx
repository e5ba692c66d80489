import { Card } from './Card';
import { PageTitle } from './PageTitle';
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
    <div className="page max-w-lg py-10 sm:py-16">
      <Card className="sm:p-8">
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
      </Card>
    </div>
  );
}
