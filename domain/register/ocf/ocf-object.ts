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

/** The text of a field; null where it is none. */
export function textOf(object: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = object[field];
  return typeof value === 'string' ? value : null;
}

/** Texts of a list; null where it is none. */
export function textsOf(object: Readonly<Record<string, unknown>>, field: string): readonly string[] | null {
  const value = object[field];
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : null;
}

/** An object inside an object; null where it is none. */
export function partOf(
  object: Readonly<Record<string, unknown>>,
  field: string,
): Readonly<Record<string, unknown>> | null {
  const value = object[field];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
