import { type Ref, useState } from 'react';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';

interface CodeFieldsProps {
  inputRef: Ref<HTMLInputElement>;
  code: string;
  error?: string;
  onChange: (code: string) => void;
  /** Called when the user chooses the other kind of code. */
  onSwitch: () => void;
  /** Returns to the email and the password. */
  onBack: () => void;
}

/** The second step of the sign-in form: a code of an authenticator app, or a recovery code. */
export function CodeFields({ inputRef, code, error, onChange, onSwitch, onBack }: CodeFieldsProps) {
  const [isRecoveryCode, setIsRecoveryCode] = useState(false);

  function switchKind() {
    setIsRecoveryCode(!isRecoveryCode);
    onSwitch();
  }

  return (
    <>
      <Field
        // A new field, so that it has the focus and the right keyboard.
        key={String(isRecoveryCode)}
        ref={inputRef}
        autoFocus
        label={isRecoveryCode ? 'Recovery code' : 'Code'}
        hint={isRecoveryCode ? '24 letters and digits' : '6 digits from your authenticator app'}
        inputMode={isRecoveryCode ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={(event) => onChange(event.target.value)}
        error={error}
      />
      <p className="-mx-3 flex flex-wrap gap-x-2 gap-y-2">
        <Button variant="quiet" small onClick={switchKind}>
          {isRecoveryCode ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
        <Button variant="quiet" small onClick={onBack}>
          Back
        </Button>
      </p>
    </>
  );
}
