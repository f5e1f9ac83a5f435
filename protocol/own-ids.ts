import { ownId } from '../domain/identity/own-id.ts';

/** Names that clients give, which may look like an id of ours. */
const NAMES_OF_CLIENTS: ReadonlySet<string> = new Set(['client_order_id', 'clientOrderId', 'issuer_id', 'name', 'q']);

/** Users may be subjects of another identity provider, who are known as that writes them. */
const NAMES_OF_USERS: ReadonlySet<string> = new Set(['user_id', 'userId']);

/** Paths whose `id` is such a user. */
const PATHS_OF_USERS: ReadonlySet<string> = new Set(['/v1/users/{id}/kill-switch']);

const isOfOthers = (name: string): boolean => NAMES_OF_CLIENTS.has(name) || NAMES_OF_USERS.has(name);

/** Fields of bodies that hold ids of ours. `id` of a body is the client's, as in JSON-RPC. */
const NAMES_AN_ID = /(?:_id|Id|_ids|Ids)$|^(?:into|submission)$/;

/** The fields of a path or a query of a route, each id of ours as it is kept. */
export function withOwnIds<T extends object>(fields: T, path: string): T {
  const isUser = (name: string): boolean => name === 'id' && PATHS_OF_USERS.has(path);
  return mapped(fields, (name) => !isOfOthers(name) && !isUser(name));
}

/** The same for a body; of lists those of ids. What else stands within it is not looked at: it may be another system's. */
export function withOwnIdsOfBody<T extends object>(body: T): T {
  return mapped(body, (name) => NAMES_AN_ID.test(name) && !isOfOthers(name));
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
