import type { FeedError } from '../../protocol/feeds/client-message.ts';
import { addressGateName } from '../../protocol/object-names/gate-name.ts';
import type { AddressAnswer, GateAnswer } from '../gate/api.ts';
import { gateOf } from '../gate/api.ts';
import type { Caller } from './caller.ts';

/** Counts a subscription as a request of its caller, before anything is asked for it; why it is not opened, or null. */
export async function drawSubscription(env: Env, caller: Caller): Promise<FeedError | null> {
  let answer: AddressAnswer | GateAnswer;
  try {
    answer = await draw(env, caller);
  } catch {
    return { code: 'SERVICE_UNAVAILABLE', message: 'the subscription cannot be counted now: try again' };
  }
  switch (answer.type) {
    case 'counted':
    case 'admitted':
      return null;
    case 'limited':
      return { code: 'RATE_LIMIT_EXCEEDED', message: `too many requests: try again in ${answer.retryAfter} s` };
    case 'refused':
      return { code: 'UNAUTHORIZED', message: 'the credential holds no longer' };
  }
}

function draw(env: Env, { clientAddress, identity }: Caller): Promise<AddressAnswer | GateAnswer> {
  if (identity === null)
    return gateOf(env, addressGateName(clientAddress)).admitAddress({ bucket: 'public', cost: 1, clientAddress });
  const { credential } = identity;
  const drawn = { bucket: 'private', cost: 1, clientAddress } as const;
  const gate = gateOf(env, credential.gate);
  if (credential.type === 'token') return gate.admitToken(credential.claims, drawn);
  const { keyId, secretVersion } = credential;
  return gate.admitKey({ keyId, proof: { type: 'connection', secretVersion } }, drawn);
}
