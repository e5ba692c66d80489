import { type ComponentProps, useState } from 'react';
import { cx } from '@/lib/cx';
import { checkPassword, conditions } from '@/rules/password';
import { Field } from './Field';
import { CheckIcon, CrossIcon } from './icons';

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'endContent'>;

/** A password field with a button that shows the password. */
export function PasswordField(props: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <Field
      {...props}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      endContent={
        <button
          type="button"
          onClick={() => setIsVisible(!isVisible)}
          className="min-h-9 rounded-control px-3 text-sm font-semibold text-brand hover:bg-brand-soft"
        >
          {isVisible ? 'Hide' : 'Show'}
          <span className="sr-only"> {props.label}</span>
        </button>
      }
    />
  );
}

/** The conditions of the password policy. A mark and a text say whether each is met. */
export function PasswordChecklist({ password }: { password: string }) {
  const result = checkPassword(password);
  const metCount = conditions.filter(({ key }) => result[key]).length;
  return (
    <div className="text-sm">
      <ul aria-label="What it needs" className="grid gap-1 sm:grid-cols-2">
        {conditions.map(({ key, text }) => (
          <Condition key={key} text={text} isMet={result[key]} />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {password && `${metCount} of ${conditions.length} conditions met`}
      </p>
    </div>
  );
}

function Condition({ text, isMet }: { text: string; isMet: boolean }) {
  const Mark = isMet ? CheckIcon : CrossIcon;
  return (
    <li className={cx('flex items-center gap-1.5', isMet ? 'text-success' : 'text-danger')}>
      <Mark size={16} className="shrink-0" />
      {text}
      <span className="sr-only">{isMet ? ', met' : ', not met'}</span>
    </li>
  );
}
