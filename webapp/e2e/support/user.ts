/** The texts of a registration form. */
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

/** Begins the names again, for a new server. */
export function restartNames(): void {
  known = 0;
}

/** Returns a person whose organisation and email are new on this worker's server. */
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
