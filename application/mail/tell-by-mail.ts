import { database } from '../../data/database.ts';
import { addMailMessages } from '../../data/mail/mail-messages.ts';
import { listToldFacts, SOURCED_KINDS, type SourcedKind } from '../../data/mail/mail-sources.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { toldFacts } from '../../domain/mail/told-facts.ts';
import { eachAlone } from '../log/each-alone.ts';
import { carryMail, messageOf } from './post-mail.ts';

/** How far back a run looks: longer than jobs and the projection stand still without an alarm. */
const LOOKS_BACK_MS = 2 * HOUR_MS;
/** Of a kind and run. */
const FACTS_MAX = 50;

/**
 * Every five minutes: tells by mail of what stands in D1, once for each fact and reader. What a run does not come to, the next one does, as long as it is of the last two hours.
 *
 * @returns whether there may be more
 */
export async function tellByMail(env: Env, now: number): Promise<boolean> {
  let isMore = false;
  const each = { idOf: (kind: SourcedKind) => kind, failure: 'mails of a kind were not posted yet' };
  await eachAlone(SOURCED_KINDS, each, async (kind) => {
    isMore = (await tellOfKind(env, kind, now)) || isMore;
  });
  return isMore;
}

async function tellOfKind(env: Env, kind: SourcedKind, now: number): Promise<boolean> {
  const db = database(env.DB);
  // What is counted by the hour has an id of its hour's beginning.
  const since = now - LOOKS_BACK_MS - (now % HOUR_MS);
  const facts = await listToldFacts(db, kind, { now, since }, FACTS_MAX);
  if (facts.length === 0) return false;
  // The page where it is renewed: a plain address, which its reader opens.
  const places: Readonly<Record<string, string>> =
    kind === 'identity_ends' ? { page: `${env.IAM_ISSUER}/identity` } : {};
  const messages = await Promise.all(
    facts.map(({ mailId, userId, facts: stored }) =>
      messageOf(env, {
        id: mailId,
        userId,
        to: null,
        kind,
        language: 'en',
        facts: { ...toldFacts(stored), ...places },
      }),
    ),
  );
  const posted = await addMailMessages(db, messages);
  await carryMail(env, posted);
  return posted.length > 0 && facts.length === FACTS_MAX;
}
