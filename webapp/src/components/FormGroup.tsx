import type { ReactNode } from 'react';

/** A titled group of form fields. */
export const FormGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="min-w-0 space-y-5">
    <legend className="mb-4 w-full border-b border-line pb-2 text-lg font-semibold">{title}</legend>
    {children}
  </fieldset>
);
