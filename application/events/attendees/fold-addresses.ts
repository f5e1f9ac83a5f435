import { openProfile } from '../../../data/events/attendees/attendees.ts';
import { listUnfolded, recordEmailTags } from '../../../data/events/attendees/email-tags.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { eventScope } from '../../../data/events/sites/events.ts';
import { sameEmail } from '../../../domain/events/email-address.ts';

const ATTENDEES_PER_PAGE = 100;

/**
 * Gives attendees who registered before spellings of an address were one the tag of the fold, all of them. The address stays as it was given. Of an event whose
 * key is gone nothing is found by an address any more.
 */
export async function foldAddresses(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const keys = openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
  for (;;) {
    const page = await listUnfolded(db, ATTENDEES_PER_PAGE);
    for (const [id, rows] of Map.groupBy(page, ({ eventId }) => eventId)) {
      const key = await keys.open(eventScope({ tenant: rows[0]!.tenant, id }));
      const tags = rows.map(async (row) => {
        const profile = key && (await openProfile(key, row));
        return { id: row.id, tag: profile && (await key.tag('email', sameEmail(profile.email))) };
      });
      await recordEmailTags(db, await Promise.all(tags));
    }
    if (page.length < ATTENDEES_PER_PAGE) return;
  }
}
