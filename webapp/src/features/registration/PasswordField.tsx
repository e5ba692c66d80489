import { type ComponentProps, useState } from 'react';
import { Field } from '@/ui/Field';

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'end'>;

/** A password, hidden until somebody wants to see it. */
export function PasswordField(props: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          className="min-h-9 rounded-control px-3 text-sm font-semibold text-brand hover:bg-brand-soft"
        >
          {shown ? 'Hide' : 'Show'}
          <span className="sr-only"> {props.label}</span>
        </button>
      }
    />
  );
}
