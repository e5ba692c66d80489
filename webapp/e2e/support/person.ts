/** What somebody types into the registration form. */
export interface Person {
  firstName: string;
  lastName: string;
  org: string;
  email: string;
  password: string;
}

const places =
  'Harbour Banksia Clearwater Juniper Lakeside Wattle Kestrel Orchard Paperbark Riverbend'.split(
    ' ',
  );

let known = 0;

/**
 * Somebody who was never here before: every worker has a server of its own, so counting is enough,
 * and pictures show the same names each time.
 */
export function newPerson(): Person {
  const place = places[known % places.length] as string;
  const round = Math.floor(known++ / places.length);
  const number = round > 0 ? String(round + 1) : '';
  return {
    firstName: 'Mara',
    lastName: 'Lindqvist',
    org: `${place} Physiotherapy ${number}`.trim(),
    email: `mara@${place.toLowerCase()}-physio${number}.example`,
    password: 'Tide-And-Time-7',
  };
}
