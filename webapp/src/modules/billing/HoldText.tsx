import { EmailLink } from '@/components/EmailLink';

/** Explains why an organisation on hold can't subscribe or change its plan, and whom to contact. */
export const HoldText = ({ contact }: { contact: string }) => (
  <span>
    A payment of your organisation is disputed. Until this is settled, you can’t subscribe or change
    your plan, and a planned change is not made. Please contact us: <EmailLink to={contact} />.
  </span>
);
