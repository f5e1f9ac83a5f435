import { ownId } from '../domain/identity/own-id.ts';

/** Names that clients give, which may look like an id of ours. */
const NAMES_OF_CLIENTS: ReadonlySet<string> = new Set(['client_order_id', 'clientOrderId', 'issuer_id', 'name', 'q']);

/** Fields of bodies that hold ids of ours. `id` of a body is the client's, as in JSON-RPC. */
const NAMES_AN_ID = /(?:_id|Id|_ids|Ids)$/;

/** The fields of a path or a query, each id of ours as it is kept. */
export function withOwnIds<T extends object>(fields: T): T {
  return mapped(fields, (name) => !NAMES_OF_CLIENTS.has(name));
}

/** The same for a body; of lists those of ids. What else stands within it is not looked at: it may be another system's. */
export function withOwnIdsOfBody<T extends object>(body: T): T {
  return mapped(body, (name) => NAMES_AN_ID.test(name) && !NAMES_OF_CLIENTS.has(name));
}

function mapped<T extends object>(fields: T, holdsIds: (name: string) => boolean): T {
  if (Array.isArray(fields)) return fields;
  const entries = Object.entries(fields).map(([name, value]) => [name, holdsIds(name) ? kept(value) : value]);
  return Object.fromEntries(entries) as T;
}

function kept(value: unknown): unknown {
  if (typeof value === 'string') return ownId(value);
  return Array.isArray(value) ? value.map((each: unknown) => (typeof each === 'string' ? ownId(each) : each)) : value;
}
