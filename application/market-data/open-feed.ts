import type { Principal } from '../../domain/identity/principal.ts';
import { STREAMS_PER_BOOK_MAX } from '../../domain/limits/connection-leases.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { VerifiedToken } from '../../durable-objects/credentials/access-token.ts';
import { CALLER_HEADER, type Caller, type Identity, type PartnerStream } from '../../durable-objects/fan-out/caller.ts';
import { identityOf } from '../../durable-objects/fan-out/identity.ts';
import {
  addressGateName,
  connectionsMaxOf,
  organizationGateName,
  userGateName,
} from '../../protocol/object-names/gate-name.ts';
import { shardOf } from '../../protocol/object-names/shard-of.ts';
import { askGate } from '../identity/ask-gate.ts';

/** Feed objects that connections are spread over; one holds some thousands of sockets. */
const FEED_OBJECTS = 16;

/** Why no connection is opened: its Gate is out of reach, or the caller has as many as it may have. */
export type FeedRefusal =
  | { readonly reason: 'gate_unavailable' }
  | { readonly reason: 'too_many_connections'; readonly connectionsMax: number };

/** Who opens a connection, as its request has shown. */
export interface FeedSubscriber {
  /** Null for anyone. */
  readonly principal: Principal | null;
  /** Claims of the access token, where one was sent. */
  readonly accessToken: VerifiedToken | null;
  readonly clientAddress: string;
}

/**
 * Opens a feed's WebSocket: at the book itself when it follows one pair alone, else (null) at a feed object. Takes one of the
 * caller's connections (X-LIM-04), which the object gives back when the socket closes.
 */
export async function openFeed(
  env: Env,
  caller: Caller,
  symbol: string | null,
): Promise<Result<Response, FeedRefusal>> {
  const id = crypto.randomUUID();
  const acquired = await askGate(env, caller.leaseGate, (gate) => gate.acquireConnection(id, caller.clientAddress));
  if (acquired === null) return err({ reason: 'gate_unavailable' });
  if (!acquired) return err({ reason: 'too_many_connections', connectionsMax: connectionsMaxOf(caller.leaseGate) });
  const object =
    symbol === null
      ? env.FEED.getByName(`feed-${shardOf(caller.leaseGate, FEED_OBJECTS)}`)
      : env.ORDER_BOOK.getByName(symbol);
  const headers = { upgrade: 'websocket', 'x-request-id': id, [CALLER_HEADER]: JSON.stringify(caller) };
  const release = () => askGate(env, caller.leaseGate, (gate) => gate.releaseConnection(id));
  try {
    const response = await object.fetch('https://feed/connect', { headers });
    if (response.status !== 429) return ok(response);
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return err({ reason: 'too_many_connections', connectionsMax: STREAMS_PER_BOOK_MAX });
}

export function feedCallerOf({ principal, accessToken, clientAddress }: FeedSubscriber): Caller {
  if (principal === null) return { leaseGate: addressGateName(clientAddress), clientAddress, identity: null };
  const leaseGate = userGateName(principal.owner, principal.userId);
  return { leaseGate, clientAddress, identity: identityOf(principal, credentialOf(principal, accessToken)) };
}

/** Of a partner's stream: its organization has the place. */
export function streamCallerOf(subscriber: FeedSubscriber, stream: PartnerStream): Caller {
  return { ...feedCallerOf(subscriber), leaseGate: organizationGateName(stream.organization), stream };
}

function credentialOf(principal: Principal, token: VerifiedToken | null): Identity['credential'] {
  const { keyId, secretVersion } = principal;
  const gate = userGateName(principal.owner, principal.userId);
  if (token === null) return { type: 'key', gate, keyId: keyId ?? '', secretVersion };
  const { subject, owner, issuedAt, revocationIds, machine, expiresAt, signedBy } = token;
  const claims = { subject, owner, issuedAt, revocationIds, machine };
  return { type: 'token', gate, claims, expiresAt, signedBy, keyId };
}
