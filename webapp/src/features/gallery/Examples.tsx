import type { ReactNode } from 'react';

/** A titled group of examples. */
export const Examples = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="mt-10 border-t border-line pt-6">
    <h2 className="mb-5 text-xl">{title}</h2>
    <div className="grid grid-cols-1 gap-6 md:grid-cols-2">{children}</div>
  </section>
);

/** One state of a component, with the name of the state. */
export const Example = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <p className="mb-2 text-sm text-muted">{name}</p>
    {children}
  </div>
);
