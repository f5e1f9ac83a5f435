import { SECOND_MS } from '../../../domain/calendar/durations.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { wakeDispatch } from '../../../durable-objects/webhook-dispatch/api.ts';

/** How long whoever has written something waits for the dispatcher. */
const WAIT_MS = SECOND_MS;

/**
 * There is something to tell. It is written down: a dispatcher that does not hear of it finds it within five minutes. So nobody's request fails by that, nor waits for it for longer than a second.
 */
export async function tellSoon(env: Env): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      logNotWoken(`no answer within ${WAIT_MS} ms`);
      resolve();
    }, WAIT_MS);
  });
  // It may fail after that, too.
  const woken = wakeDispatch(env, 'tenants').catch((error: unknown) => {
    logNotWoken(error instanceof Error ? error.message : String(error));
  });
  await Promise.race([woken, late]);
  clearTimeout(timer);
}

function logNotWoken(reason: string): void {
  log('warn', 'the dispatcher of webhooks was not woken', { reason });
}
