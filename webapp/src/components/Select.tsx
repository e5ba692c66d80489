import { type ComponentProps, useId } from 'react';
import { cx } from '@/lib/cx';
import { controlClass, describedBy, FieldFrame, type FieldFrameProps } from './FieldFrame';
import { ChevronDownIcon } from './icons';

type SelectProps = Omit<FieldFrameProps, 'id'> & ComponentProps<'select'>;

/** A labelled choice; the options are its children. */
export function Select({ label, error, hint, optional, className, ...select }: SelectProps) {
  const made = useId();
  const frame = { id: select.id ?? made, label, error, hint, optional };
  return (
    <FieldFrame {...frame} className={className}>
      <div className="relative">
        <select
          {...select}
          {...describedBy(frame)}
          className={cx(controlClass, 'appearance-none pr-10')}
        />
        <ChevronDownIcon className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted" />
      </div>
    </FieldFrame>
  );
}
