import { uuidv7 } from 'uuidv7';
import { eventsDatabase } from '../../../data/events/database.ts';
import {
  type Collection,
  countOwnCollections,
  createCollection,
  findCollection,
  scopeOfCollection,
} from '../../../data/events/images/collections.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import type { KeyScope, ScopeKey } from '../../../data/events/keys/scope-key.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { EVENT_BOUNDS } from '../../../domain/events/event-bounds.ts';
import type { GalleryScope } from '../../../durable-objects/gallery/api.ts';
import { namesEvent } from './names-event.ts';

/** A collection of the caller's tenant, with the key to what it holds. */
export interface OpenCollection {
  readonly collection: Collection;
  readonly scope: KeyScope;
  readonly key: ScopeKey;
}

/** Null for one that the tenant does not have: never made, deleted, or of an event that was deleted. */
export async function openCollection(env: Env, tenant: string, name: string): Promise<OpenCollection | null> {
  const db = eventsDatabase(env.EVENTS_DB);
  if (namesEvent(name)) return openEventCollection(env, tenant, name);
  const collection = await findCollection(db, tenant, name);
  if (collection === null) return null;
  const scope = scopeOfCollection(collection);
  const key = await keysOf(env).open(scope);
  return key === null ? null : { collection, scope, key };
}

/** Whether storing faces under that name would make one collection more than the tenant may have. */
export async function wouldBeTooMany(env: Env, tenant: string, name: string): Promise<boolean> {
  const db = eventsDatabase(env.EVENTS_DB);
  if (namesEvent(name) || (await findCollection(db, tenant, name)) !== null) return false;
  return (await countOwnCollections(db, tenant)) >= EVENT_BOUNDS.collections_max;
}

/**
 * The same for storing faces: a name of the tenant's own makes a collection. Null for an id that is no event's, and for a collection
 * whose key was destroyed and which is being deleted.
 */
export async function useCollection(env: Env, tenant: string, name: string): Promise<OpenCollection | null> {
  if (namesEvent(name)) return openEventCollection(env, tenant, name);
  const db = eventsDatabase(env.EVENTS_DB);
  if ((await findCollection(db, tenant, name)) === null) {
    const made = { id: uuidv7(), tenant, name, eventId: null, createdAt: Date.now() };
    const scope = scopeOfCollection(made);
    // Before the row: one that has no key has lost it, and gets no other.
    await keysOf(env).create(scope);
    const { id } = await createCollection(db, made);
    if (id !== made.id) await keysOf(env).destroy(scope);
  }
  return openCollection(env, tenant, name);
}

/** Every event has its collection, which is first written down when it is first used. */
export async function openEventCollection(env: Env, tenant: string, eventId: string): Promise<OpenCollection | null> {
  const db = eventsDatabase(env.EVENTS_DB);
  if ((await findEvent(db, tenant, eventId)) === null) return null;
  const collection =
    (await findCollection(db, tenant, eventId)) ??
    (await createCollection(db, { id: uuidv7(), tenant, name: eventId, eventId, createdAt: Date.now() }));
  const scope = scopeOfCollection(collection);
  const key = await keysOf(env).open(scope);
  return key === null ? null : { collection, scope, key };
}

export function galleryScopeOf({ collection, scope }: OpenCollection): GalleryScope {
  return { ...scope, collectionId: collection.id };
}

function keysOf(env: Env) {
  return openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
}
