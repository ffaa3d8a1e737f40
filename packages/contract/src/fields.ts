import { Type, type TObject, type TObjectOptions, type TProperties, type TSchema } from 'typebox';
import { CLEAN_TEXT, CODE, UUID, USERNAME, VISIBLE_TEXT, hexPattern } from './formats.ts';

/** The OpenAPI document lists the object under its title. */
export function shape<P extends TProperties>(title: string, description: string, properties: P) {
  return Type.Object(properties, { title, additionalProperties: false, description });
}

export const text = (description: string) => Type.String({ description });
export const flag = (description: string) => Type.Boolean({ description });
export const listOf = <S extends TSchema>(items: S, description: string) =>
  Type.Array(items, { description });

export function doc<S extends TSchema>(schema: S, description: string): S {
  // typebox marks schemas with properties that are not enumerable.
  return Object.defineProperties({} as S, {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true, configurable: true, writable: true },
  });
}

/** `{ etch }`, `{ keys }` */
export function envelope<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Ignores unknown fields. */
export function request<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  return Type.Object(properties, options);
}

/** @param description says what null means */
export function nullable<S extends TSchema>(schema: S, description = descriptionOf(schema)) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

const descriptionOf = (schema: TSchema): string | undefined =>
  (schema as { description?: string; title?: string }).title === undefined
    ? (schema as { description?: string }).description
    : undefined;

export function oneOf<const V extends readonly string[]>(values: V, description?: string) {
  return Type.Unsafe<V[number]>({
    type: 'string',
    enum: [...values],
    ...(description === undefined ? {} : { description }),
  });
}

/** A union of objects; the value of one field selects the object. */
export function oneKind<const S extends TObject[]>(
  title: string,
  description: string,
  propertyName: string,
  kinds: readonly [...S],
) {
  const mapping = kinds.map((kind) => {
    const { enum: [value = ''] = [] } = kind.properties[propertyName] as { enum?: readonly string[] };
    return [value, `#/components/schemas/${(kind as { title?: string }).title}`] as const;
  });
  const discriminator = { propertyName, mapping: Object.fromEntries(mapping) };
  return Type.Union([...kinds] as [...S], { title, description, discriminator });
}

// ---- fields of answers

export const Uuid = Type.String({ format: 'uuid', pattern: UUID.replaceAll('A-F', '') });
/** `2026-01-02T03:04:05.678Z` */
export const Time = Type.String({
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
});
/** Only `GET /me` and related operations use `+00:00`. */
export const OffsetTime = Type.String({
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}\\+00:00$',
});
export const DomainCheckedAt = doc(
  Time,
  'When the file of the domain last listed the key. The service checks it every week. Null without a domain or before the first check.',
);
export const Day = Type.String({ format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' });
export const Url = Type.String({ format: 'uri' });
export const Code = Type.String({ pattern: CODE });
export const Username = Type.String({ pattern: USERNAME });
export const Count = Type.Integer({ minimum: 0 });
const HEX_32 = '^[0-9a-f]{64}$';
const CHAIN_HEX_32 = '^0x[0-9a-f]{64}$';

/** Hashes, roots, proofs, salts, public keys. */
export const hex32 = (description: string) => Type.String({ pattern: HEX_32, description });
export const Hex32 = Type.String({ pattern: HEX_32 });
/** Signatures. */
export const Hex64 = Type.String({ pattern: '^[0-9a-f]{128}$' });
/** Transaction hashes, attestation uids. */
export const chainHex32 = (description: string) => Type.String({ pattern: CHAIN_HEX_32, description });
export const ChainHex32 = Type.String({ pattern: CHAIN_HEX_32 });
/** The case may be a checksum. */
export const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });

// ---- fields of requests; an error shows `x-message` instead of the pattern

export function textField(max: number, description: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: max,
    pattern: VISIBLE_TEXT,
    'x-message': 'must contain more than blanks, and no NUL or lone surrogate',
  });
}

export function looseTextField(description: string, options: object = {}) {
  return Type.String({
    description,
    pattern: CLEAN_TEXT,
    'x-message': 'must not contain NUL or a lone surrogate',
    ...options,
  });
}

export function hexField(bytes: number, description: string) {
  return Type.String({
    description,
    pattern: hexPattern(bytes),
    'x-message': `must be ${bytes} bytes in hex (${bytes * 2} digits)`,
  });
}

export function timeField(description: string) {
  return Type.String({
    description,
    format: 'date-time',
    'x-message': 'must be a date-time with an offset or Z (RFC 3339)',
  });
}

export function uuidField(description: string) {
  return Type.String({ description, format: 'uuid', pattern: UUID, 'x-message': 'must be a UUID' });
}

/**
 * Checked as text, so that a repeated parameter (an array), `1e1` and `+1` are rejected. The OpenAPI document
 * shows a number.
 */
export function integerField(description: string, maximum: 100 | 999_999_999) {
  return Type.String({
    description,
    pattern: maximum === 100 ? '^(?:[1-9][0-9]?|100)$' : '^[1-9][0-9]{0,8}$',
    'x-message': `must be a whole number from 1 to ${maximum}`,
    'x-shown-as': { type: 'integer', minimum: 1, maximum },
  });
}
