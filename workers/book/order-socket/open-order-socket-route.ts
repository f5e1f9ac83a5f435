import { createRoute } from '@hono/zod-openapi';
import { askGate } from '../../../application/identity/ask-gate.ts';
import {
  ORDER_CALLER_HEADER,
  ORDER_ENTRY_OBJECTS,
  type OrderCaller,
} from '../../../durable-objects/order-entry/api.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { addressGateName, userGateName } from '../../../protocol/object-names/gate-name.ts';
import { shardOf } from '../../../protocol/object-names/shard-of.ts';
import { type AppContext, optionalPrincipalOf } from '../../middleware/app-env.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { gateUnavailable } from '../../responses/gate-unavailable.ts';
import { heldCredential } from './authenticate-socket.ts';

/** GET /v1/ws/orders: order entry over one WebSocket. Messages: protocol/order-entry. */
export function openOrderSocketRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'cancels' },
    createRoute({
      method: 'get',
      path: '/v1/ws/orders',
      summary: 'Order entry over WebSocket',
      description:
        'Requests place, place_batch, amend, cancel, cancel_batch and cancel_all, each answered under its id as the REST call of that name. The credential comes with the handshake or in an auth message.',
      responses: { 101: { description: 'Switching protocols.' } },
    }),
    async (c) => {
      if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
        return failure(c, apiError('VALIDATION_ERROR', 'connect by WebSocket'));
      const caller = await callerOf(c);
      if ('code' in caller) return failure(c, caller);
      const id = crypto.randomUUID();
      const acquired = await askGate(c.env, caller.leaseGate, (gate) =>
        gate.acquireConnection(id, caller.clientAddress),
      );
      if (acquired === null) return failure(c, gateUnavailable());
      if (!acquired) return failure(c, apiError('RATE_LIMIT_EXCEEDED', 'too many connections', { connections: 5 }));
      const headers = { upgrade: 'websocket', 'x-request-id': id, [ORDER_CALLER_HEADER]: JSON.stringify(caller) };
      const object = c.env.ORDER_ENTRY.getByName(`orders-${shardOf(caller.leaseGate, ORDER_ENTRY_OBJECTS)}`);
      try {
        return await object.fetch('https://orders/connect', { headers });
      } catch (error) {
        await askGate(c.env, caller.leaseGate, (gate) => gate.releaseConnection(id));
        throw error;
      }
    },
  );
}

async function callerOf(c: AppContext) {
  const clientAddress = clientAddressOf(c);
  const principal = optionalPrincipalOf(c);
  if (principal === null)
    return { leaseGate: addressGateName(clientAddress), clientAddress, credential: null } satisfies OrderCaller;
  const accessToken = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null;
  const held = await heldCredential(c.env, principal, accessToken);
  if (!held.ok) return held.error;
  const leaseGate = userGateName(principal.owner, principal.userId);
  return { leaseGate, clientAddress, credential: held.value } satisfies OrderCaller;
}
