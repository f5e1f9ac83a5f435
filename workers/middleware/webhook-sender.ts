import { askGate } from '../../application/identity/ask-gate.ts';
import { rateSubjectOf } from '../../domain/limits/address.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { countFirst } from '../../durable-objects/credentials/count-first.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { gateUnavailable } from '../responses/gate-unavailable.ts';
import type { AppContext } from './app-env.ts';
import { clientAddressOf } from './client-address.ts';
import { rateExceeded } from './count-address.ts';
import { receiveBody } from './receive-body.ts';

const BODY = { takesBody: true, mayLackBody: false } as const;

/**
 * Takes what a sender has signed: the sender's address is counted before the body is read, and pays for what is not signed as agreed.
 *
 * @param verify reads the body of the request
 */
export async function takeSigned<T, E>(
  c: AppContext,
  verify: () => Promise<Result<T, E>>,
  errorOf: (failure: E) => ApiError,
): Promise<Result<T, ApiError>> {
  const clientAddress = clientAddressOf(c);
  const knownBy = `webhook ${c.get('route')} ${rateSubjectOf(clientAddress)}`;
  const counted = await countFirst<Result<T, ApiError>>(
    (name, ask) => askGate(c.env, name, ask),
    { knownBy, keyId: null, clientAddress },
    async () => {
      const unfit = await receiveBody(c, BODY);
      if (unfit !== null) return { outcome: 'fails', value: err(unfit) };
      const verified = await verify();
      return verified.ok
        ? { outcome: 'holds', value: ok(verified.value) }
        : { outcome: 'fails', value: err(errorOf(verified.error)) };
    },
    async (work) => c.executionCtx.waitUntil(work),
  );
  if (counted === null) return err(gateUnavailable());
  if (counted.rate !== null) c.set('rate', counted.rate);
  return counted.type === 'limited' ? err(rateExceeded(c, counted.retryAfter)) : counted.value;
}
