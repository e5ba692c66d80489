import { type ComponentProps, type ReactElement, useId } from 'react';
import { cx } from '@/lib/cx';
import { controlAttributes, controlClass, FieldFrame, type FieldFrameProps } from './FieldFrame';

interface FieldProps extends Omit<FieldFrameProps, 'id'>, ComponentProps<'input'> {
  /** Content at the right end of the field, such as a show/hide toggle. */
  endContent?: ReactElement;
}

/** A labelled text input. */
export function Field({
  label,
  error,
  hint,
  describedBy,
  optional,
  endContent,
  className,
  ...input
}: FieldProps) {
  const generatedId = useId();
  const frameProps = { id: input.id ?? generatedId, label, error, hint, describedBy, optional };
  return (
    <FieldFrame {...frameProps} className={className}>
      <div className="relative">
        <input
          {...input}
          {...controlAttributes(frameProps)}
          className={cx(controlClass, endContent && 'pr-20')}
        />
        {endContent && (
          <div className="absolute inset-y-0 right-0 flex items-center pr-1">{endContent}</div>
        )}
      </div>
    </FieldFrame>
  );
}
