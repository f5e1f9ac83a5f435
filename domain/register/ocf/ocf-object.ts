/** An object of an Open Cap Table Format document (version 1.2.1), as it was sent: a stakeholder, a stock class, a transaction. */
export interface OcfObject {
  readonly object_type: string;
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What is wrong with an object of a document. */
export interface OcfFault {
  /** Id of the object; null for the document. */
  readonly object_id: string | null;
  readonly field: string;
  readonly message: string;
}

/** The text of a field; null where it is none. Vendors leave a field out, write null or an empty text, or an object that says `omitted`. */
export function textOf(object: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = object[field];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Texts of a list, without empty ones; null where it is none. */
export function textsOf(object: Readonly<Record<string, unknown>>, field: string): readonly string[] | null {
  const value = object[field];
  if (!Array.isArray(value)) return null;
  const stated = value.filter((each) => each !== null && !(typeof each === 'string' && each.trim() === ''));
  return stated.every((each) => typeof each === 'string') ? stated : null;
}

/** An object inside an object; null where it is none, or says nothing. */
export function partOf(
  object: Readonly<Record<string, unknown>>,
  field: string,
): Readonly<Record<string, unknown>> | null {
  const value = object[field];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const part: Readonly<Record<string, unknown>> = { ...value };
  return isNothing(part) || Object.values(part).every(isNothing) ? null : part;
}

/** An amount of money; null where none is stated, whatever else stands beside it. */
export function amountOf(
  object: Readonly<Record<string, unknown>>,
  field: string,
): Readonly<Record<string, unknown>> | null {
  const part = partOf(object, field);
  return isNothing(part?.amount) ? null : part;
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null || value === undefined;
  const omitted: unknown = 'omitted' in value ? value.omitted : false;
  return omitted === true || (typeof omitted === 'string' && omitted.trim().toLowerCase() === 'true');
}
