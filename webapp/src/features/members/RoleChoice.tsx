import { useId } from 'react';
import type { Role } from '@/api';
import { roles, roleTexts } from '@/modules/session/role-names';

interface RoleChoiceProps {
  legend: string;
  value: Role;
  onChange: (role: Role) => void;
  /** Whether the selected role gets the focus when the choice appears. */
  hasFocus?: boolean;
}

const focus = (input: HTMLInputElement | null) => input?.focus();

/** A radio button for each role, with a description of what the role allows. */
export function RoleChoice({ legend, value, onChange, hasFocus }: RoleChoiceProps) {
  const name = useId();
  return (
    <fieldset className="min-w-0 space-y-1">
      <legend className="mb-1 font-semibold">{legend}</legend>
      {roles.map((role) => (
        <label key={role} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="radio"
            name={name}
            className="check shrink-0"
            checked={role === value}
            ref={hasFocus && role === value ? focus : undefined}
            onChange={() => onChange(role)}
          />
          <span className="min-w-0">{roleTexts[role]}</span>
        </label>
      ))}
    </fieldset>
  );
}
