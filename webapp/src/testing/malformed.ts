import { errorIn, isFailure } from '@/api/api-error';
import type { Decoder } from '@/api/decode';

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The text of a malformed response. */
export interface MalformedBody {
  /** The difference from a valid response, for the title of a test. */
  description: string;
  text: string;
}

/** The message in the error objects of `unrelatedBodies`. */
export const serverMessage = 'The server says no.';

/** Responses that no call expects, which some servers and proxies send with status 200. */
export const unrelatedBodies: MalformedBody[] = [
  { description: 'an empty text', text: '' },
  { description: 'HTML', text: '<!doctype html><h1>Please sign in</h1>' },
  ...[
    'null',
    '[]',
    '{}',
    '7',
    '"done"',
    `{"name":"ERRINTERNAL","message":"${serverMessage}"}`,
    `{"error":{"message":"${serverMessage}"}}`,
    `{"error":"${serverMessage}"}`,
    `{"message":"${serverMessage}"}`,
  ].map((text) => ({ description: text, text })),
];

/**
 * Returns copies of a valid body. In each copy one part, at any depth, is missing, null, of another type or the text
 * "constructor", or one object has additional fields. In a list, and in an object with codes or ids as names, only the
 * first element is changed.
 */
export const malformedBodies = (validBody: Json): MalformedBody[] =>
  pathsIn(validBody).flatMap((path) => {
    const part = path.reduce((value, name) => (value as Fields)[name] as Json, validBody);
    const name = path.join('.');
    const replacements = otherValues(part).map((value) => ({
      description: `${name} ${JSON.stringify(value)}`,
      text: JSON.stringify(replacePart(validBody, path, value)),
    }));
    const removal = {
      description: `${name} missing`,
      text: JSON.stringify(replacePart(validBody, path)),
    };
    return [removal, ...replacements];
  });

type Fields = Record<string, Json>;
type Path = string[];

/** Returns the paths of all parts of a value. */
function pathsIn(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const names = Object.keys(value);
  const areElementsAlike = Array.isArray(value) || names.every((name) => /^[A-Z]{3}$|-/.test(name));
  return (areElementsAlike ? names.slice(0, 1) : names).flatMap((name) => [
    [...path, name],
    ...pathsIn((value as Fields)[name] as Json, [...path, name]),
  ]);
}

const typeOf = (value: Json) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Additional fields, two of them with names that every JavaScript object inherits. */
const additionalFields = JSON.parse(
  '{"more":{"x":[1]},"constructor":"x","__proto__":{"isInherited":true}}',
) as Fields;

/**
 * Returns a value of each other JSON type. Adds a copy with additional fields for an object, and for a string the name of an
 * inherited property, which a look-up may find by mistake.
 */
function otherValues(part: Json): Json[] {
  const values: Json[] = [null, 7, 'x', true, [], {}].filter(
    (value) => typeOf(value) !== typeOf(part),
  );
  if (typeOf(part) === 'object') values.push({ ...(part as Fields), ...additionalFields });
  if (typeOf(part) === 'string') values.push('constructor');
  return values;
}

/** Returns a copy with another value at the path, or without the part. */
function replacePart(value: Json, [name = '', ...rest]: Path, replacement?: Json): Json {
  const copy = structuredClone(value) as Fields;
  if (rest.length > 0) copy[name] = replacePart(copy[name] as Json, rest, replacement);
  else if (replacement !== undefined) copy[name] = replacement;
  else if (Array.isArray(copy)) copy.splice(Number(name), 1);
  else delete copy[name];
  return copy;
}

/** The result of decoding a response in the api layer. */
export interface DecodeResult {
  isRejected: boolean;
  /** The server's message in a rejected response; empty if there is none. */
  message: string;
  /** The decoded response as JSON, or `rejected: ` and the message. Tests skip responses with the same text. */
  decoded: string;
}

/** Returns the result of decoding a response with status 200. */
export function decodeResponse(text: string, decoder: Decoder<unknown>): DecodeResult {
  const body = parse(text);
  try {
    if (isFailure(body)) throw new TypeError('an error object');
    return { isRejected: false, message: '', decoded: JSON.stringify(decoder(body, '')) ?? '' };
  } catch {
    const { message } = errorIn(body, {});
    return { isRejected: true, message, decoded: `rejected: ${message}` };
  }
}

/** Parses a body as axios does: returns the text if it is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
