import { useLocation } from 'react-router-dom';

/**
 * Returns the query parameters of the URL. react-router's useSearchParams can also set them, which would add code to
 * every page.
 */
export const useQueryParams = (): URLSearchParams => new URLSearchParams(useLocation().search);
