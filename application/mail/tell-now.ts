import { mailIdOf, type SourcedKind } from '../../data/mail/mail-sources.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { postMail } from './post-mail.ts';

interface Told {
  readonly kind: SourcedKind;
  /** Of the fact, as the job finds it. */
  readonly source: string;
  readonly userId: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** Tells of something at once that the job of five minutes tells of otherwise, under the same id. What fails here changes nothing of what has happened. */
export async function tellNow(env: Env, { kind, source, userId, facts }: Told): Promise<void> {
  try {
    await postMail(env, { id: mailIdOf(kind, source, userId), userId, to: null, kind, language: 'en', facts });
  } catch (error) {
    log('warn', 'a mail was not posted at once: the job does it', { kind, ...describeBug(error) });
  }
}
