import { type ComponentProps, useId } from 'react';
import { cx } from '@/lib/cx';
import { controlAttributes, controlClass, FieldFrame, type FieldFrameProps } from './FieldFrame';
import { ChevronDownIcon } from './icons';

type SelectProps = Omit<FieldFrameProps, 'id'> & ComponentProps<'select'>;

/** A labelled select; its options are the children. */
export function Select({ label, error, hint, optional, className, ...select }: SelectProps) {
  const generatedId = useId();
  const frameProps = { id: select.id ?? generatedId, label, error, hint, optional };
  return (
    <FieldFrame {...frameProps} className={className}>
      <div className="relative">
        <select
          {...select}
          {...controlAttributes(frameProps)}
          className={cx(controlClass, 'appearance-none pr-10')}
        />
        <ChevronDownIcon className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted" />
      </div>
    </FieldFrame>
  );
}
