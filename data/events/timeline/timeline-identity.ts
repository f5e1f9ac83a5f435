import type { ScopeKey } from '../keys/scope-key.ts';

/** Who a timeline entry is of. */
export interface EntryIdentity {
  readonly attendeeId: string;
  /** The stored face that matched when the entry was made; null for one made by hand. */
  readonly faceId: string | null;
}

export async function sealIdentity(key: ScopeKey, entryId: string, identity: EntryIdentity): Promise<Buffer> {
  const plain = JSON.stringify({ attendee_id: identity.attendeeId, face_id: identity.faceId });
  return Buffer.from(await key.seal(new TextEncoder().encode(plain), ['identity', entryId]));
}

/** Null once the person was erased. */
export async function openIdentity(key: ScopeKey, entryId: string, sealed: Uint8Array): Promise<EntryIdentity | null> {
  const plain = await key.open(sealed, ['identity', entryId]);
  if (plain === null) return null;
  const { attendee_id, face_id } = JSON.parse(new TextDecoder().decode(plain)) as {
    attendee_id: string;
    face_id: string | null;
  };
  return { attendeeId: attendee_id, faceId: face_id };
}
