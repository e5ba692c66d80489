import { type ReactNode, useId } from 'react';

/** A titled group of form fields. In wide containers the title is beside them, and short fields share a line. */
export function FormGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset
      aria-labelledby={id}
      className="@container min-w-0 border-line not-first:border-t not-first:pt-6 @min-[52rem]:not-first:pt-8"
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-4 @min-[40rem]:grid-cols-[12.5rem_minmax(0,1fr)]">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <div className="@container min-w-0">
          <div className="form-fields">{children}</div>
        </div>
      </div>
    </fieldset>
  );
}
