import type { Elements } from '@/lib/elements';

/** A section of the page: components of one file in all their states. */
export interface Section {
  /** The names that the file exports. */
  names: string[];
  /** Whether each state has a separate line, for components that fill the page. */
  wide?: boolean;
  /** The content by the name of the state. */
  states: Record<string, Elements>;
}
