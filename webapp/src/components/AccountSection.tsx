import { type ReactNode, type RefObject, useId } from 'react';

interface AccountSectionProps {
  title: string;
  /** What the section is for, below the title. */
  description?: string;
  /** The heading, which gets the focus when the focused control is removed. */
  headingRef?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}

/** A titled part of a screen about users. In wide containers the title is beside its content. */
export function AccountSection({ title, description, headingRef, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="@container min-w-0 border-line not-first:border-t not-first:pt-6 @min-[52rem]:not-first:pt-8"
    >
      <div className="grid grid-cols-1 gap-x-8 gap-y-4 @min-[40rem]:grid-cols-[12.5rem_minmax(0,1fr)]">
        <div>
          <h2 ref={headingRef} id={id} tabIndex={-1} className="text-lg">
            {title}
          </h2>
          {description && <p className="mt-1 text-sm text-muted">{description}</p>}
        </div>
        <div className="@container min-w-0 max-w-[34.5rem]">{children}</div>
      </div>
    </section>
  );
}
