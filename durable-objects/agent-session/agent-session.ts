import { DurableObject } from 'cloudflare:workers';
import { gateOf } from '../gate/api.ts';
import { type AgentSessionApi, SESSION_MS_MAX, type StreamLease } from './api.ts';

/** Comments that keep proxies from closing a quiet stream, and show when its client is gone; the lease, of 60 s, is renewed with each. */
const KEEP_ALIVE_MS = 10_000;
/** A client that leaves more than this unread is cut off. */
const UNREAD_BYTES_MAX = 1_048_576;

/** Key of the stored user id. */
const USER = 'user';

interface OpenStream {
  readonly userId: string;
  readonly lease: StreamLease;
  readonly controller: ReadableByteStreamController;
  readonly keepAlive: ReturnType<typeof setInterval>;
}

/**
 * Knows whose a session is, and carries answers from the Worker that a message was posted to, to the stream that its client reads. A
 * stream is not stored: a lost object ends it, and the client opens another session.
 */
export class AgentSession extends DurableObject<Env> implements AgentSessionApi {
  #open: OpenStream | null = null;

  async begin(userId: string): Promise<void> {
    await this.ctx.storage.put(USER, userId);
    await this.ctx.storage.setAlarm(Date.now() + SESSION_MS_MAX);
  }

  async end(userId: string): Promise<boolean> {
    if (!(await this.belongsTo(userId))) return false;
    this.#end();
    await this.ctx.storage.deleteAll();
    return true;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  async open(userId: string, endpoint: string, lease: StreamLease): Promise<ReadableStream> {
    this.#end();
    return new ReadableStream(
      {
        type: 'bytes',
        start: (controller) => {
          const keepAlive = setInterval(() => this.#beat(lease), KEEP_ALIVE_MS);
          this.#open = { userId, lease, controller, keepAlive };
          this.#send(`event: endpoint\ndata: ${endpoint}\n\n`);
        },
        cancel: () => this.#end(),
      },
      { highWaterMark: UNREAD_BYTES_MAX },
    );
  }

  async belongsTo(userId: string): Promise<boolean> {
    const owner = this.#open?.userId ?? (await this.ctx.storage.get<string>(USER));
    return owner === userId;
  }

  async deliver(userId: string, message: string): Promise<boolean> {
    return this.#open?.userId === userId && this.#send(`event: message\ndata: ${message}\n\n`);
  }

  async #beat(lease: StreamLease): Promise<void> {
    if (!this.#send(': keepalive\n\n')) return;
    try {
      const { connectionId, gate, clientAddress } = lease;
      if (!(await gateOf(this.env, gate).acquireConnection(connectionId, clientAddress))) this.#end();
    } catch {
      // The Gate is being restarted: asked again at the next beat.
    }
  }

  #send(event: string): boolean {
    if (this.#open === null) return false;
    const { controller } = this.#open;
    const bytes = new TextEncoder().encode(event);
    if ((controller.desiredSize ?? 0) < bytes.byteLength) {
      this.#end();
      return false;
    }
    controller.enqueue(bytes);
    return true;
  }

  #end(): void {
    if (this.#open === null) return;
    const { controller, keepAlive, lease } = this.#open;
    this.#open = null;
    const released = gateOf(this.env, lease.gate).releaseConnection(lease.connectionId);
    // A lease that cannot be given back ends by itself.
    this.ctx.waitUntil(released.catch(() => undefined));
    clearInterval(keepAlive);
    try {
      controller.close();
    } catch {
      // Its client has cancelled it.
    }
  }
}
