import { useLocation } from 'react-router-dom';

/** Returns the query parameters of the URL. react-router's useSearchParams also sets them, with code on every page. */
export const useQueryParams = (): URLSearchParams => new URLSearchParams(useLocation().search);
