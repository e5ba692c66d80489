/** A link to an address of the app; any other address takes a plain anchor. */
export { Link } from 'react-router-dom';
