/** A link within a text that opens an email to the address. */
export const EmailLink = ({ to }: { to: string }) => (
  <a href={`mailto:${to}`} className="text-link" translate="no">
    {to}
  </a>
);
