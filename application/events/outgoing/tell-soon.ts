import { log } from '../../../durable-objects/log/log.ts';
import { wakeDispatch } from '../../../durable-objects/webhook-dispatch/api.ts';

/** There is something to tell. It is written down: a dispatcher that does not hear of it finds it within five minutes, and nobody's request fails by that. */
export async function tellSoon(env: Env): Promise<void> {
  try {
    await wakeDispatch(env, 'tenants');
  } catch (error) {
    log('warn', 'the dispatcher of webhooks was not woken', {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}
