/**
 * Returns a part of a response as the type that the app works with, and throws when it has another form.
 * `path` names the part in the error.
 */
export type Decoder<T> = (value: unknown, path: string) => T;

const matching =
  <T>(matches: (value: unknown) => boolean): Decoder<T> =>
  (value, path) => {
    if (!matches(value)) throw new TypeError(`${path} is missing or malformed`);
    return value as T;
  };

const isText = (value: unknown) => typeof value === 'string';

export const text = matching<string>(isText);
export const flag = matching<boolean>((value) => typeof value === 'boolean');
export const number = matching<number>(Number.isFinite);

/** A number of decimals, which Intl.NumberFormat accepts. */
export const digits = matching<number>((value) => /^\d$/.test(String(value)));

/** A date-time of RFC 3339. */
export const time = matching<string>((value) => isText(value) && isDate(value as string));

/** A time in Unix seconds. */
export const seconds = matching<number>(
  (value) => typeof value === 'number' && isDate(value * 1000),
);

const isDate = (value: string | number) => !Number.isNaN(new Date(value).getTime());

/** The code of a currency, as Intl.NumberFormat accepts it. */
export const currencyCode = matching<string>(
  (value) => isText(value) && /^[a-z]{3}$/i.test(value as string),
);

/** A time zone that Intl.DateTimeFormat knows. */
export const timeZone: Decoder<string> = (value, path) => {
  const zone = text(value, path);
  new Intl.DateTimeFormat('en', { timeZone: zone }); // throws
  return zone;
};

/** An identifier; numbers are converted to texts. */
export const id: Decoder<string> = (value, path) => {
  const identifier = typeof value === 'number' ? String(value) : value;
  return matching<string>((values) => isText(values) && values !== '')(identifier, path);
};

/** One of these texts. */
export const oneOf = <T extends string>(...values: T[]) =>
  matching<T>((value) => values.includes(value as T));

/** Null for an absent value. */
export const nullable =
  <T>(decoder: Decoder<T>): Decoder<T | null> =>
  (value, path) =>
    value == null ? null : decoder(value, path);

/**
 * The fallback for a value that is absent or has another form: for fields that the specification does not
 * name, which another back end may use for something else.
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

/** An object without fields for an absent one. */
export const orEmpty =
  <T>(decoder: Decoder<T>): Decoder<T> =>
  (value, path) =>
    decoder(value ?? {}, path);

/** An array of such items. */
export const list =
  <T>(item: Decoder<T>): Decoder<T[]> =>
  (value, path) =>
    matching<unknown[]>(Array.isArray)(value, path).map((each, index) =>
      item(each, `${path}[${index}]`),
    );

/** An object without fixed fields. */
export const record =
  <T>(item: Decoder<T>): Decoder<Record<string, T>> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(fields(value, path)).map(([name, each]) => [
        name,
        item(each, `${path}.${name}`),
      ]),
    );

/** An object with these fields; others are dropped. */
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

/** Any object except an array. */
export const fields = matching<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** A response whose content is not used. */
export const ignored: Decoder<void> = () => {};
