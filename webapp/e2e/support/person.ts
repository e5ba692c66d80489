import { randomUUID } from 'node:crypto';

/** What somebody types into the registration form. */
export interface Person {
  firstName: string;
  lastName: string;
  org: string;
  email: string;
  password: string;
}

/** Somebody who was never here before. */
export function newPerson(): Person {
  const unique = randomUUID().slice(0, 8);
  return {
    firstName: 'Mara',
    lastName: 'Lindqvist',
    org: `Harbour Physiotherapy ${unique}`,
    email: `mara.${unique}@harbour-physio.example`,
    password: 'Tide-And-Time-7',
  };
}
