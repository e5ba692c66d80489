/**
 * Returns a part of a response as a value of the type, and throws if the part is malformed. `path` names the part in
 * the error message.
 */
export type Decoder<T> = (value: unknown, path: string) => T;

/** Returns a decoder that accepts the values for which `matches` is true, and throws for all others. */
const decodeIf =
  <T>(matches: (value: unknown) => boolean): Decoder<T> =>
  (value, path) => {
    if (!matches(value)) throw new TypeError(`${path} is missing or malformed`);
    return value as T;
  };

const isText = (value: unknown): value is string => typeof value === 'string';

export const text = decodeIf<string>(isText);
export const flag = decodeIf<boolean>((value) => typeof value === 'boolean');
export const number = decodeIf<number>(Number.isFinite);

/** Decodes the number of decimals of a currency, from 0 to 9. */
export const digits = decodeIf<number>((value) => /^\d$/.test(String(value)));

/** Decodes a date-time of RFC 3339. */
export const time = decodeIf<string>((value) => isText(value) && isDate(value));

/** Decodes a time in Unix seconds. */
export const seconds = decodeIf<number>(
  (value) => typeof value === 'number' && isDate(value * 1000),
);

const isDate = (value: string | number) => !Number.isNaN(new Date(value).getTime());

/** Decodes the code of a currency, as Intl.NumberFormat accepts it. */
export const currencyCode = decodeIf<string>((value) => isText(value) && /^[a-z]{3}$/i.test(value));

/** Decodes a time zone that Intl.DateTimeFormat knows. */
export const timeZone: Decoder<string> = (value, path) => {
  const zone = text(value, path);
  new Intl.DateTimeFormat('en', { timeZone: zone }); // throws for an unknown zone
  return zone;
};

const nonEmptyText = decodeIf<string>((value) => isText(value) && value !== '');

/** Decodes an identifier. A number is converted to text. */
export const id: Decoder<string> = (value, path) =>
  nonEmptyText(typeof value === 'number' ? String(value) : value, path);

/** Returns a decoder that accepts only these texts. */
export const oneOf = <T extends string>(...values: T[]) =>
  decodeIf<T>((value) => values.includes(value as T));

/** Returns a decoder that also accepts null and an absent value, and decodes both as null. */
export const nullable =
  <T>(decoder: Decoder<T>): Decoder<T | null> =>
  (value, path) =>
    value == null ? null : decoder(value, path);

/**
 * Returns a decoder that returns the fallback for an absent or malformed value. Use it for fields that the specification
 * does not name, because another back end may use such a field for something else.
 */
export function optional<T>(decoder: Decoder<T>): Decoder<T | undefined>;
export function optional<T, F>(decoder: Decoder<T>, fallback: F): Decoder<T | F>;
export function optional<T, F>(decoder: Decoder<T>, fallback?: F): Decoder<T | F | undefined> {
  return (value, path) => {
    try {
      return decoder(value, path);
    } catch {
      return fallback;
    }
  };
}

/** Returns a decoder that decodes an absent value as an empty object. */
export const orEmpty =
  <T>(decoder: Decoder<T>): Decoder<T> =>
  (value, path) =>
    decoder(value ?? {}, path);

/** Returns a decoder of an array. */
export const list =
  <T>(item: Decoder<T>): Decoder<T[]> =>
  (value, path) =>
    array(value, path).map((element, index) => item(element, `${path}[${index}]`));

/**
 * Returns a decoder of an object with any field names. The result inherits nothing, so that a look-up with a name such as
 * "constructor" finds fields of the response only.
 */
export const record =
  <T>(item: Decoder<T>): Decoder<Record<string, T>> =>
  (value, path) => {
    const result: Record<string, T> = Object.create(null);
    for (const [name, field] of Object.entries(fields(value, path))) {
      result[name] = item(field, `${path}.${name}`);
    }
    return result;
  };

/** Returns a decoder of an object with these fields. Other fields are dropped. */
export const object =
  <T extends object>(decoders: { [Name in keyof T]-?: Decoder<T[Name]> }): Decoder<T> =>
  (value, path) => {
    const values = fields(value, path);
    return Object.fromEntries(
      Object.entries<Decoder<unknown>>(decoders).map(([name, decoder]) => [
        name,
        decoder(values[name], `${path}.${name}`),
      ]),
    ) as T;
  };

const array = decodeIf<unknown[]>(Array.isArray);

/** Decodes any object except an array. */
export const fields = decodeIf<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Accepts every response and returns nothing, for calls whose effect the app reads afterwards. */
export const ignored: Decoder<void> = () => {};

/**
 * Accepts an empty response, "OK" and any object, and returns nothing. For calls whose success the app reports without
 * reading their effect. Another response, such as the page of a proxy, does not prove that the call had an effect.
 */
export const acknowledgement: Decoder<void> = (value, path) => {
  if (value == null || (isText(value) && /^(ok)?$/i.test(value.trim()))) return;
  fields(value, path);
};
