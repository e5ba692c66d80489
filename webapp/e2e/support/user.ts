/** A user, as entered in the registration form. */
export interface User {
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

let count = 0;

/** Restarts the names of new users, for a server without users. */
export function resetNames(): void {
  count = 0;
}

/** Returns a user whose organisation and email are not registered at this worker's server. */
export function newUser(): User {
  const place = places[count % places.length] as string;
  const round = Math.floor(count++ / places.length);
  const number = round > 0 ? String(round + 1) : '';
  return {
    firstName: 'Mara',
    lastName: 'Lindqvist',
    org: `${place} Physiotherapy ${number}`.trim(),
    email: `mara@${place.toLowerCase()}-physio${number}.example`,
    password: 'Tide-And-Time-7',
  };
}
