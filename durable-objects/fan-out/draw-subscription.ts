import type { FeedError } from '../../protocol/feeds/feed-error.ts';
import { addressGateName } from '../../protocol/object-names/gate-name.ts';
import type { AddressAnswer, GateAnswer } from '../gate/api.ts';
import { gateOf } from '../gate/api.ts';
import type { Caller } from './caller.ts';

/** Why a subscription is not opened. */
interface NotDrawn {
  readonly error: FeedError;
  /** How long its caller is told to wait. */
  readonly wait_ms: number;
}

/** Counts a subscription, before anything is asked for it: by its caller's window of subscriptions, or as a request of an address. */
export async function drawSubscription(env: Env, caller: Caller): Promise<NotDrawn | null> {
  let answer: AddressAnswer | GateAnswer;
  try {
    answer = await draw(env, caller);
  } catch {
    return notDrawn('SERVICE_UNAVAILABLE', 'the subscription cannot be counted now: try again');
  }
  switch (answer.type) {
    case 'counted':
    case 'admitted':
      return null;
    case 'limited':
      return notDrawn(
        'RATE_LIMIT_EXCEEDED',
        `too many requests: try again in ${answer.retryAfter} s`,
        answer.retryAfter * 1_000,
      );
    case 'refused':
      return notDrawn('UNAUTHORIZED', 'the credential holds no longer');
  }
}

function notDrawn(code: FeedError['code'], message: string, wait_ms = 0): NotDrawn {
  return { error: { code, message }, wait_ms };
}

function draw(env: Env, { clientAddress, identity }: Caller): Promise<AddressAnswer | GateAnswer> {
  if (identity === null)
    return gateOf(env, addressGateName(clientAddress)).admitAddress({ bucket: 'public', cost: 1, clientAddress });
  const { credential } = identity;
  const drawn = { bucket: 'subscriptions', cost: 1, clientAddress } as const;
  const gate = gateOf(env, credential.gate);
  if (credential.type === 'token') return gate.admitToken(credential.claims, drawn);
  const { keyId, secretVersion } = credential;
  return gate.admitKey({ keyId, proof: { type: 'connection', secretVersion } }, drawn);
}
