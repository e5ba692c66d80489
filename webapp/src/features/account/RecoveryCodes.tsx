import { useId } from 'react';

interface RecoveryCodesProps {
  codes: readonly string[];
  isSaved: boolean;
  onSaved: (isSaved: boolean) => void;
}

/** The recovery codes, and the confirmation that the user has saved them. */
export function RecoveryCodes({ codes, isSaved, onSaved }: RecoveryCodesProps) {
  const id = useId();
  return (
    <>
      <h3 id={id} className="font-semibold">
        Recovery codes
      </h3>
      <p className="mt-1 text-muted">
        Each code works once, together with your password. Keep them where you can find them without
        your phone.
      </p>
      <ul
        aria-labelledby={id}
        translate="no"
        className="mt-3 grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="wrap-anywhere">
            {groupCharacters(code)}
          </li>
        ))}
      </ul>
      <label className="mt-4 flex items-start gap-3">
        <input
          type="checkbox"
          className="check mt-0.5"
          checked={isSaved}
          onChange={(event) => onSaved(event.target.checked)}
        />
        <span>I saved these codes</span>
      </label>
    </>
  );
}

/** Returns a code in groups of four characters. */
export const groupCharacters = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? '';
