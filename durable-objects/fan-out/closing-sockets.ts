import { gateOf } from '../gate/api.ts';

/** A place among a caller's connections, and the Gate that counts them. */
export interface ConnectionLease {
  readonly id: string;
  readonly leaseGate: string;
  readonly clientAddress: string;
}

/**
 * Sockets that were closed from here and that the runtime still holds: what a client leaves unread goes with its socket alone. Until then they
 * keep their places, or a client that reads nothing could fill one connection after the other (docs/design/feeds.md#slow-consumers).
 */
export class ClosingSockets {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #leases = new Map<WebSocket, ConnectionLease>();

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  add(socket: WebSocket, lease: ConnectionLease): void {
    this.#leases.set(socket, lease);
  }

  /** The runtime has let go of a socket. */
  closed(socket: WebSocket): void {
    const lease = this.#leases.get(socket);
    if (lease === undefined) return;
    this.#leases.delete(socket);
    // A place that is not given back ends by itself.
    this.#ctx.waitUntil(
      gateOf(this.#env, lease.leaseGate)
        .releaseConnection(lease.id)
        .catch(() => undefined),
    );
  }

  /** Keeps the places of those that the runtime holds. */
  async keep(): Promise<void> {
    if (this.isEmpty) return;
    const held = new Set(this.#ctx.getWebSockets());
    for (const socket of [...this.#leases.keys()]) if (!held.has(socket)) this.closed(socket);
    await Promise.all(
      Array.from(this.#leases.values(), ({ id, leaseGate, clientAddress }) =>
        gateOf(this.#env, leaseGate)
          .acquireConnection(id, clientAddress)
          .catch(() => undefined),
      ),
    );
  }
}
