import type { Caller } from '../../application/identity/caller.ts';
import { deviceWords } from '../../domain/identity/device-words.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { clientAddressOf } from '../middleware/client-address.ts';

/** From where and by what a request for tokens comes, and what may be done once it is answered. */
export function callerOf(c: AppContext): Caller & { later(work: Promise<unknown>): void } {
  return {
    clientAddress: clientAddressOf(c),
    device: deviceWords(c.req.header('user-agent')),
    later: (work) => c.executionCtx.waitUntil(work),
  };
}
