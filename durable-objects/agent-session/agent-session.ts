import { DurableObject } from 'cloudflare:workers';
import { gateOf } from '../gate/api.ts';
import type { AgentSessionsApi, AgentStreamApi, StreamLease } from './api.ts';
import { type KeptSession, KeptSessions } from './kept-sessions.ts';

/** Comments that keep proxies from closing a quiet stream, and show when its client is gone; the lease, of 60 s, is renewed with each. */
const KEEP_ALIVE_MS = 10_000;
/** A client that leaves more than this unread is cut off. */
const UNREAD_BYTES_MAX = 1_048_576;

/** Key of the stored sessions. */
const SESSIONS = 'sessions';

interface OpenStream {
  readonly userId: string;
  readonly lease: StreamLease;
  readonly controller: ReadableByteStreamController;
  readonly keepAlive: ReturnType<typeof setInterval>;
}

/**
 * By the name of a user: knows their sessions. By the name of a stream: carries answers from the Worker that a message was posted to, to the
 * stream that its client reads. A stream is not stored: a lost object ends it, and the client opens another session.
 */
export class AgentSession extends DurableObject<Env> implements AgentSessionsApi, AgentStreamApi {
  #open: OpenStream | null = null;
  #sessions: KeptSessions | null = null;

  async begin(agent = ''): Promise<string> {
    const sessions = await this.#loaded();
    const sessionId = sessions.begin(Date.now(), agent);
    await this.#store(sessions);
    return sessionId;
  }

  async use(sessionId: string): Promise<boolean> {
    const sessions = await this.#loaded();
    const used = sessions.use(sessionId, Date.now());
    if (used === 'noted') await this.#store(sessions);
    return used !== 'none';
  }

  async end(sessionId: string): Promise<boolean> {
    const sessions = await this.#loaded();
    if (!sessions.end(sessionId, Date.now())) return false;
    await this.#store(sessions);
    return true;
  }

  override async alarm(): Promise<void> {
    const sessions = await this.#loaded();
    sessions.expire(Date.now());
    await this.#store(sessions);
  }

  async #loaded(): Promise<KeptSessions> {
    const stored = this.#sessions === null ? await this.ctx.storage.get<KeptSession[]>(SESSIONS) : undefined;
    // Another call may have read them meanwhile.
    this.#sessions ??= new KeptSessions(stored ?? []);
    return this.#sessions;
  }

  async #store(sessions: KeptSessions): Promise<void> {
    const endsAt = sessions.nextEnd;
    if (endsAt === null) return this.ctx.storage.deleteAll();
    await Promise.all([this.ctx.storage.put(SESSIONS, sessions.list), this.ctx.storage.setAlarm(endsAt)]);
  }

  async close(userId: string): Promise<boolean> {
    if (!(await this.belongsTo(userId))) return false;
    this.#end();
    return true;
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
    return this.#open?.userId === userId;
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
