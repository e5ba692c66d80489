import { type ComponentProps, useId, useState } from 'react';
import { cx } from '@/lib/cx';
import { checkPassword, conditions, policyMessage } from '@/rules/password';
import { Field } from './Field';
import { CheckIcon, CrossIcon } from './icons';

interface PasswordFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'endContent'> {
  label: string;
}

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
          <span>{isVisible ? 'Hide' : 'Show'}</span>
          <span className="sr-only">{` ${props.label}`}</span>
        </button>
      }
    />
  );
}

interface NewPasswordFieldProps extends PasswordFieldProps {
  /** The id of the checklist, which describes the field. */
  checklistId: string;
}

/** The field of a new password. Its error does not list the unmet conditions, because the checklist shows them. */
export const NewPasswordField = ({ checklistId, error, ...props }: NewPasswordFieldProps) => (
  <PasswordField
    {...props}
    error={error?.startsWith(policyMessage) ? policyMessage : error}
    describedBy={checklistId}
  />
);

interface PasswordChecklistProps {
  id?: string;
  password: string;
  /** Why the password is easy to guess, or ''. Shown if the conditions are met, unless it is the error of the field. */
  weakMessage?: string;
  /** The error of the field. */
  error?: string;
}

/**
 * The conditions of the password policy, each with a mark and a text that say whether it is met, and why a password that meets
 * them is easy to guess.
 */
export function PasswordChecklist({ id, password, weakMessage, error }: PasswordChecklistProps) {
  const result = checkPassword(password);
  const metCount = conditions.filter(({ key }) => result[key]).length;
  const problem = metCount === conditions.length && weakMessage !== error ? weakMessage : '';
  return (
    <div className="text-sm">
      <ul
        id={id}
        aria-label="What it needs"
        className="grid grid-cols-1 gap-x-4 gap-y-1 @md:grid-cols-2"
      >
        {conditions.map(({ key, text }) => (
          <Condition key={key} text={text} isMet={result[key]} />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {password && `${metCount} of ${conditions.length} conditions met`}
      </p>
      <div role="status">
        {problem && (
          <p className="mt-2 flex items-center gap-1.5 font-semibold text-danger">
            <CrossIcon size={16} className="shrink-0" />
            <span>{problem}</span>
          </p>
        )}
      </div>
    </div>
  );
}

interface NewPasswordWithChecklistProps extends PasswordFieldProps {
  value: string;
  /** Why the password is easy to guess, or ''. */
  weakMessage: string;
}

/** The field of a new password, with its checklist below. */
export function NewPasswordWithChecklist({ weakMessage, ...field }: NewPasswordWithChecklistProps) {
  const checklistId = useId();
  return (
    <div className="space-y-3">
      <NewPasswordField autoComplete="new-password" checklistId={checklistId} {...field} />
      <PasswordChecklist
        id={checklistId}
        password={field.value}
        weakMessage={weakMessage}
        error={field.error}
      />
    </div>
  );
}

function Condition({ text, isMet }: { text: string; isMet: boolean }) {
  const Mark = isMet ? CheckIcon : CrossIcon;
  return (
    <li className={cx('flex items-center gap-1.5', isMet ? 'text-success' : 'text-danger')}>
      <Mark size={16} className="shrink-0" />
      <span>{text}</span>
      <span className="sr-only">{isMet ? ', met' : ', not met'}</span>
    </li>
  );
}
