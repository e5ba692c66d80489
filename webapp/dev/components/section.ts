import type { ReactNode } from 'react';

/** A section of the page: components of one file in all their states. */
export interface Section {
  /** The names that the file exports. */
  names: string[];
  /** Puts each state on a line of its own, for components that fill the page. */
  wide?: boolean;
  /** What is shown, by the name of the state. */
  states: Record<string, ReactNode>;
}
