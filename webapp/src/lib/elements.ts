import type { ReactElement } from 'react';

/**
 * Children without text nodes, for components that render them beside other elements. Browsers that translate the page
 * replace text nodes, and React then can't update or remove a text node beside an element.
 */
export type Elements = ReactElement | readonly Elements[] | false | '' | null | undefined;
