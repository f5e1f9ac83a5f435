import { framesOfAttendee, traceOf } from '../../../data/events/attendees/attendee-frames.ts';
import {
  anonymizeEntries,
  blankCorrections,
  blankFrame,
  deleteAttendeeRow,
} from '../../../data/events/attendees/erasure.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { deleteImages } from '../../../data/events/images/sealed-images.ts';
import { deleteReviewsOf } from '../../../data/events/reviews/match-reviews.ts';
import { forgetInTrail } from '../../../data/events/trail/staff-trail.ts';
import type { OpenCollection } from '../collections/open-collection.ts';
import { removeFaces } from '../faces/remove-faces.ts';

/**
 * Erases everything held on one attendee. The images of frames in which they were recognized, or may be, go, with whoever else is on them; their
 * timeline entries stay as nobody's. What leads to something goes after it, so that an interrupted erasure is repeated whole.
 */
export async function eraseAttendee(env: Env, open: OpenCollection, attendeeId: string): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const { collection, key } = open;
  const eventId = collection.name;
  const trace = await traceOf(db, key, eventId, attendeeId);
  await deleteAttendeeRow(db, eventId, attendeeId);
  for await (const frame of framesOfAttendee(db, key, trace)) {
    await deleteImages(env.EVENT_IMAGES, [frame.row.objectKey]);
    await blankFrame(db, key, trace, frame);
  }
  await deleteReviewsOf(db, eventId, trace.tag);
  const tags = await Promise.all([...trace.ids].map((id) => key.tag('attendee', id)));
  await forgetInTrail(db, eventId, { ids: trace.ids, tags });
  await blankCorrections(db, key, trace);
  await removeFaces(env, open, trace.tag);
  await anonymizeEntries(db, trace, attendeeId);
}
