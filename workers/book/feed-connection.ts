import { askGate } from '../../application/identity/ask-gate.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { CALLER_HEADER, type Caller, type Identity } from '../../durable-objects/fan-out/caller.ts';
import { identityOf } from '../../durable-objects/fan-out/identity.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { addressGateName, userGateName } from '../../protocol/object-names/gate-name.ts';
import { type AppContext, optionalPrincipalOf } from '../middleware/app-env.ts';
import { clientAddressOf } from '../middleware/client-address.ts';
import { gateUnavailable } from '../responses/gate-unavailable.ts';
import { shardOf } from './shard-of.ts';
import { visibleMarket } from './visible-market.ts';

/** Feed objects that connections are spread over; one holds some thousands of sockets. */
const FEED_OBJECTS = 16;

/**
 * Opens a feed's WebSocket for the caller: at the book itself when it follows one pair alone, else at a feed object. Takes one of the
 * caller's five connections (X-LIM-04), which the object gives back when the socket closes.
 */
export async function openFeed(c: AppContext, symbol: string | undefined): Promise<Result<Response, ApiError>> {
  if (symbol !== undefined) {
    const visible = await visibleMarket(c, symbol);
    if (!visible.ok) return visible;
  }
  const caller = callerOf(c);
  const id = crypto.randomUUID();
  const acquired = await askGate(c.env, caller.leaseGate, (gate) => gate.acquireConnection(id));
  if (acquired === null) return err(gateUnavailable());
  if (!acquired) return err(apiError('RATE_LIMIT_EXCEEDED', 'too many WebSocket connections', { connections: 5 }));
  const object =
    symbol === undefined
      ? c.env.FEED.getByName(`feed-${shardOf(caller.leaseGate, FEED_OBJECTS)}`)
      : c.env.ORDER_BOOK.getByName(symbol);
  const headers = { upgrade: 'websocket', 'x-request-id': id, [CALLER_HEADER]: JSON.stringify(caller) };
  try {
    return ok(await object.fetch('https://feed/connect', { headers }));
  } catch (error) {
    await askGate(c.env, caller.leaseGate, (gate) => gate.releaseConnection(id));
    throw error;
  }
}

function callerOf(c: AppContext): Caller {
  const principal = optionalPrincipalOf(c);
  const clientAddress = clientAddressOf(c);
  if (principal === null) return { leaseGate: addressGateName(clientAddress), clientAddress, identity: null };
  const leaseGate = userGateName(principal.owner, principal.userId);
  return { leaseGate, clientAddress, identity: identityOf(principal, credentialOf(c, principal)) };
}

function credentialOf(c: AppContext, principal: Principal): Identity['credential'] {
  const { keyId, secretVersion } = principal;
  const token = c.get('accessToken');
  const gate = userGateName(principal.owner, principal.userId);
  if (token === undefined) return { type: 'key', gate, keyId: keyId ?? '', secretVersion };
  const { subject, owner, issuedAt, revocationIds, machine, expiresAt, signedBy } = token;
  const claims = { subject, owner, issuedAt, revocationIds, machine };
  return { type: 'token', gate, claims, expiresAt, signedBy, keyId };
}
