import { reembedStep } from '../../application/events/collections/reembed-step.ts';
import { runEnhancement } from '../../application/events/enhancement/run-enhancement.ts';
import { EventWork, type WorkOutcome } from '../../application/events/event-work.ts';
import { describeBug } from '../../application/log/describe-bug.ts';
import { log } from '../../durable-objects/log/log.ts';

const BUG_RETRY_S = 30;

/** Consumes `event-work` and `event-reembed`. Messages may come twice, or at once to two consumers: the work has its effect once. */
export async function consumeEventWork(batch: MessageBatch, env: Env): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const outcome = await workOn(message, env);
      if (outcome.type === 'done') message.ack();
      else message.retry({ delaySeconds: outcome.delaySeconds });
    }),
  );
}

async function workOn(message: Message, env: Env): Promise<WorkOutcome> {
  const work = EventWork.safeParse(message.body);
  if (!work.success) {
    log('error', 'a message of event-work is malformed', { id: message.id });
    return { type: 'done' };
  }
  try {
    return await (work.data.type === 'enhance' ? runEnhancement(env) : reembedStep(env, work.data));
  } catch (error) {
    const { type } = work.data;
    const requestId = work.data.type === 'reembed' ? work.data.requestId : null;
    log('error', 'event-work failed', { work: type, request_id: requestId, ...describeBug(error) });
    return { type: 'retry', delaySeconds: BUG_RETRY_S };
  }
}
