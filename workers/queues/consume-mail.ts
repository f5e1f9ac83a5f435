import { z } from 'zod';
import { describeBug } from '../../application/log/describe-bug.ts';
import { sendMail } from '../../application/mail/send-mail.ts';
import { SECOND_MS } from '../../domain/calendar/durations.ts';
import { log } from '../../durable-objects/log/log.ts';

const Pointer = z.strictObject({ id: z.string().min(1).max(200) });
/** Until a message is brought again whose mail failed on our side. */
const RETRY_S = 30;
/** The longest that a queue waits. */
const DELAY_S_MAX = 12 * 3_600;

/**
 * Consumes `mail`: a message says that a mail is due, and the row decides. It may come twice, late or never: the claim lets one send it, and a job finds what was lost. What keeps
 * failing on our side goes to the dead letters, and is found by the job all the same.
 */
export async function consumeMail(batch: MessageBatch, env: Env): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const delaySeconds = await delayOf(message, env);
      if (delaySeconds === null) message.ack();
      else message.retry({ delaySeconds });
    }),
  );
}

/** Seconds until the message is to come again; null where it is done. */
async function delayOf(message: Message, env: Env): Promise<number | null> {
  const read = Pointer.safeParse(message.body);
  if (!read.success) {
    log('error', 'a message of mail is malformed', { id: message.id });
    return null;
  }
  const { id } = read.data;
  try {
    const again = await sendMail(env, id);
    // A second late, so that the row says by then that it is due.
    return again === null ? null : Math.min(DELAY_S_MAX, Math.ceil((again - Date.now()) / SECOND_MS) + 1);
  } catch (error) {
    log('error', 'a mail failed', { mail: id, attempt: message.attempts, ...describeBug(error) });
    return RETRY_S;
  }
}
