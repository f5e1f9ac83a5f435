import { mergeAttendee } from '../../../data/events/attendees/attendee-merge.ts';
import { findAttendee } from '../../../data/events/attendees/attendees.ts';
import { findErasure } from '../../../data/events/attendees/erasures.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { openEventCollection } from '../collections/open-collection.ts';
import { notFound } from '../not-found.ts';
import { watchCapacitySoon } from '../occupancy/watch-capacity.ts';
import { similarityOfAttendees } from '../registration/resemblance.ts';
import type { Corrector } from './corrector.ts';

export interface AttendeeMerge {
  readonly eventId: string;
  readonly from: string;
  /** The attendee who remains. */
  readonly into: string;
}

export interface MergedAttendee {
  /** The greatest cosine of a face of one and a face of the other; null where nothing can be compared. */
  readonly similarity: number | null;
}

/** Makes everything of one attendee another's: both are the same person. */
export async function mergeAttendees(
  env: Env,
  { eventId, from, into }: AttendeeMerge,
  { id, tenant, actor, reason }: Corrector,
): Promise<Result<MergedAttendee, ApiError>> {
  if (from === into) return err(apiError('VALIDATION_ERROR', 'an attendee merges into another', { field: 'into' }));
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return err(notFound('event'));
  const { key } = open;
  const db = eventsDatabase(env.EVENTS_DB);
  const [merged, remaining] = await Promise.all([from, into].map((one) => findAttendee(db, key, eventId, one)));
  if (!merged || !remaining) return err(notFound('attendee'));
  const isErased = async () => {
    const erasures = await Promise.all([from, into].map((one) => findErasure(db, eventId, one)));
    return erasures.some((one) => one !== null);
  };
  if (await isErased()) return err(TO_BE_ERASED);
  const { name, email } = merged;
  const similarity = await similarityOfAttendees(env, open, from, into);
  const change = { reason, attendee_id: into, similarity, from: { attendee_id: from, name, email } };
  const correction = { id, tenant, eventId, kind: 'merge', actor, change, now: Date.now() } as const;
  if (await mergeAttendee(db, key, { from, into }, correction)) {
    await watchCapacitySoon(env, eventId);
    return ok({ similarity });
  }
  return err((await isErased()) ? TO_BE_ERASED : notFound('attendee'));
}

const TO_BE_ERASED = apiError('CONFLICT', 'one of the two is to be erased');
