import type { ReactElement } from 'react';

/**
 * Children that are elements, for components that render them beside other elements. Text has an element of its own
 * there, because a browser that translates the page replaces text nodes, and React can't update or remove a text node
 * beside an element then.
 */
export type Elements = ReactElement | readonly Elements[] | false | '' | null | undefined;
