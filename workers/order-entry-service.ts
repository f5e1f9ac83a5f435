import { WorkerEntrypoint } from 'cloudflare:workers';
import type { SwitchHolder } from '../durable-objects/cancel-switch/api.ts';
import type { OrderEntryDoor } from '../durable-objects/order-entry/api.ts';
import type { LaneAnswer } from '../protocol/order-entry/socket-message.ts';

/** Order entry for the Worker's own objects, which hold sockets and import no use of the product (docs/design/order-entry-socket.md). */
export class OrderEntryService extends WorkerEntrypoint<Env> implements OrderEntryDoor {
  async run(lanes: string): Promise<LaneAnswer[]> {
    const { runRequests } = await import('./book/order-socket/run-requests.ts');
    return runRequests(this.env, lanes);
  }

  async cancelAll(holder: SwitchHolder): Promise<boolean> {
    const { cancelAllOf } = await import('../application/order-entry/cancel-after.ts');
    return cancelAllOf(this.env, holder);
  }

  async authenticate(
    credential: Parameters<OrderEntryDoor['authenticate']>[0],
    clientAddress: string,
  ): ReturnType<OrderEntryDoor['authenticate']> {
    const { authenticateSocket } = await import('./book/order-socket/authenticate-socket.ts');
    const presented =
      'accessToken' in credential
        ? ({ type: 'bearer', accessToken: credential.accessToken, tenantToken: null, keyId: null } as const)
        : ({
            type: 'key',
            keyId: credential.keyId,
            proof: { type: 'secret', secret: credential.secret },
          } as const);
    const outcome = await authenticateSocket(this.env, presented, clientAddress);
    return outcome.ok ? { held: outcome.value } : { error: outcome.error };
  }
}
