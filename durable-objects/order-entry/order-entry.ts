import { DurableObject } from 'cloudflare:workers';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { issueDetails } from '../../protocol/errors/issue-details.ts';
import { jsonFlaw } from '../../protocol/json/json-flaw.ts';
import { type LaneAnswer, SocketMessage } from '../../protocol/order-entry/socket-message.ts';
import { CONNECTION_LEASE_MS, cancelSwitchOf, type SwitchHolder } from '../cancel-switch/api.ts';
import { ClosingSockets } from '../fan-out/closing-sockets.ts';
import { gateOf } from '../gate/api.ts';
import { log } from '../log/log.ts';
import { ORDER_CALLER_HEADER, type OrderCaller, type OrderEntryDoor } from './api.ts';
import { type InFlight, type OrderAttachment, OrderConnection, type PendingRequest } from './order-connection.ts';

const MESSAGE_LENGTH_MAX = 64 * 1_024;
/** Of a request that is no batch. */
const SINGLE_LENGTH_MAX = 4 * 1_024;
/** Leases; one ends after 60 s. */
const BEAT_MS = 20_000;
/** How long a beat waits for the Gate and the switch of one connection; what they do after it counts as well. */
const LEASES_MS_MAX = 5_000;
/** While so many batches run, what comes waits for one of them to be answered, and for no longer than this: larger batches cost each order less. */
const BATCHES_AT_ONCE = 2;
const GATHER_MS_MAX = 5;
/** An alarm may ring some milliseconds before its time. */
const ALARM_EARLY_MS = 100;

/** What connections ask together: one call of order entry. */
interface Batch {
  readonly connections: OrderConnection[];
  readonly requests: PendingRequest[][];
}

/**
 * The sockets through which orders are entered (docs/design/order-entry-socket.md). Requests that come in one turn, of whichever connection, go
 * to order entry together, market by market; each connection's run in their order. Every request is answered once, or its connection
 * ends.
 */
export class OrderEntry extends DurableObject<Env> {
  readonly #connections = new Map<WebSocket, OrderConnection>();
  readonly #closing: ClosingSockets;
  readonly #inFlight: InFlight = { length: 0 };
  readonly #door: OrderEntryDoor;
  /** What has come leaves when this rings, or when a batch is answered before. */
  #gathering: ReturnType<typeof setTimeout> | null = null;
  #batchesRunning = 0;
  #beatAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#door = ctx.exports.OrderEntryService as unknown as OrderEntryDoor;
    this.#closing = new ClosingSockets(ctx, env);
    for (const socket of ctx.getWebSockets()) {
      const attachment = socket.deserializeAttachment() as OrderAttachment;
      this.#connections.set(socket, new OrderConnection(socket, attachment, this.#inFlight));
    }
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('{"type":"ping"}', '{"type":"pong"}'));
  }

  /** Takes a socket that the Worker opens for a caller. */
  override async fetch(request: Request): Promise<Response> {
    const caller = JSON.parse(request.headers.get(ORDER_CALLER_HEADER) ?? 'null') as OrderCaller | null;
    if (request.headers.get('upgrade') !== 'websocket' || caller === null) return new Response(null, { status: 426 });
    const { 0: client, 1: server } = new WebSocketPair();
    const id = request.headers.get('x-request-id') ?? crypto.randomUUID();
    const attachment: OrderAttachment = { id, caller, openedAt: Date.now(), waitsUntil: 0, cancelsFor: null };
    this.ctx.acceptWebSocket(server);
    server.serializeAttachment(attachment);
    this.#connections.set(server, new OrderConnection(server, attachment, this.#inFlight));
    await this.#scheduleBeat();
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    if (typeof data !== 'string' || data.length > MESSAGE_LENGTH_MAX) {
      this.#drop(connection, 1009, 'send text of 64 Ki characters at most');
      return;
    }
    const message = readMessage(data);
    const draws = !('error' in message) && isRequest(message) && connection.credential !== null;
    if (!draws && !connection.mayTalk(Date.now())) this.#drop(connection, 1008, 'too many messages');
    else if ('error' in message) this.#say(connection, { type: 'error', id: message.id, error: message.error });
    else if (message.type === 'ping') this.#say(connection, { type: 'pong', id: message.id });
    else if (message.type === 'auth') await this.#authenticate(connection, message);
    else {
      const { id, type, order } = message;
      this.#ask(connection, { id, type, symbol: order?.symbol ?? '', text: data });
    }
  }

  override webSocketClose(socket: WebSocket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) this.#drop(connection, 1000, '');
    this.#closing.closed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.webSocketClose(socket);
  }

  override async alarm(): Promise<void> {
    const now_ms = Date.now();
    for (const connection of this.#connections.values())
      if (connection.credential === null && now_ms >= connection.unprovedUntil - ALARM_EARLY_MS)
        this.#drop(connection, 1000, 'nobody has authenticated');
    if (this.#beatAt === null || now_ms >= this.#beatAt + BEAT_MS - ALARM_EARLY_MS) {
      this.#beatAt = now_ms;
      await Promise.all([
        within(LEASES_MS_MAX, this.#closing.keep()),
        ...Array.from(this.#connections.values(), (connection) => within(LEASES_MS_MAX, this.#keepLeases(connection))),
      ]);
    }
    await this.#scheduleBeat();
  }

  #ask(connection: OrderConnection, request: PendingRequest): void {
    if (connection.credential === null) {
      const error = apiError('UNAUTHORIZED', 'authenticate first');
      this.#say(connection, { type: 'error', id: request.id, error });
      return;
    }
    switch (connection.ask(request)) {
      case 'taken':
        this.#gather();
        return;
      case 'too_many':
        this.#drop(connection, 1008, 'too many requests in flight');
        return;
      case 'full': {
        const error = apiError('SERVICE_UNAVAILABLE', 'too many requests wait here: repeat later');
        this.#say(connection, { type: 'error', id: request.id, error });
      }
    }
  }

  /** What comes in the same turn, or while BATCHES_AT_ONCE run, goes together. */
  #gather(): void {
    this.#gathering ??= setTimeout(() => this.#leave(), this.#batchesRunning < BATCHES_AT_ONCE ? 0 : GATHER_MS_MAX);
  }

  #leave(): void {
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    this.#gathering = null;
    for (const batch of this.#batches()) this.ctx.waitUntil(this.#run(batch));
  }

  /** Single placements by their market; other requests each by itself, so that none waits for another's. */
  #batches(): Batch[] {
    const placements = new Map<string, Batch>();
    const others: Batch[] = [];
    for (const connection of this.#connections.values()) {
      if (!connection.isReady) continue;
      const requests = connection.take();
      const { type, symbol } = requests[0] as PendingRequest;
      if (type !== 'place') {
        others.push({ connections: [connection], requests: [requests] });
        continue;
      }
      const batch = placements.get(symbol) ?? { connections: [], requests: [] };
      placements.set(symbol, batch);
      batch.connections.push(connection);
      batch.requests.push(requests);
    }
    return [...placements.values(), ...others];
  }

  async #run(batch: Batch): Promise<void> {
    this.#batchesRunning += 1;
    try {
      await this.#answer(batch);
    } finally {
      this.#batchesRunning -= 1;
    }
    if (this.#gathering !== null || [...this.#connections.values()].some(({ isReady }) => isReady)) this.#leave();
  }

  async #answer({ connections, requests }: Batch): Promise<void> {
    const lanes = connections.map((connection, at) => laneText(connection, requests[at] as PendingRequest[]));
    let answers: LaneAnswer[];
    try {
      answers = await this.#door.run(`[${lanes.join()}]`);
    } catch (error) {
      log('error', 'bug', { reason: error instanceof Error ? error.message : String(error) });
      // What became of the requests is unknown: the connections end instead of answering.
      for (const connection of connections) {
        connection.answered();
        this.#drop(connection, 1011, 'the outcome of requests is unknown');
        this.#cancelLate(connection);
      }
      return;
    }
    for (const [at, connection] of connections.entries()) {
      const { texts, isRefused, cancelsFor } = answers[at] as LaneAnswer;
      connection.answered();
      this.#cancelLate(connection);
      if (cancelsFor !== undefined) this.#cancelsFor(connection, cancelsFor);
      for (const text of texts) {
        if (connection.send(text)) continue;
        this.#drop(connection, 1013, 'not writable, or more than 8 MiB unread');
        break;
      }
      if (isRefused) this.#drop(connection, 1008, 'the credential holds no longer');
    }
  }

  async #authenticate(
    connection: OrderConnection,
    { id, api_key, api_secret, token }: Extract<SocketMessage, { type: 'auth' }>,
  ): Promise<void> {
    if (connection.isAuthenticating) {
      const error = apiError('CONFLICT', 'a credential is being proved: wait for the answer');
      this.#say(connection, { type: 'error', id, error });
      return;
    }
    const presented = token === undefined ? { keyId: api_key ?? '', secret: api_secret ?? '' } : { accessToken: token };
    const { clientAddress } = connection.attachment.caller;
    connection.isAuthenticating = connection.credential === null;
    const outcome =
      connection.credential === null
        ? await this.#door.authenticate(presented, clientAddress).finally(() => {
            connection.isAuthenticating = false;
          })
        : { error: apiError('FORBIDDEN', 'this connection has its credential: open another one') };
    if ('held' in outcome) {
      connection.credential = outcome.held;
      this.#say(connection, { type: 'authenticated', id });
      return;
    }
    const { retry_after: wait_s } = outcome.error.details;
    if (typeof wait_s === 'number') connection.letWait(Date.now() + wait_s * 1_000);
    this.#say(connection, { type: 'error', id, error: outcome.error });
    if (outcome.error.code === 'UNAUTHORIZED') this.#drop(connection, 1008, 'invalid authentication');
  }

  #cancelsFor(connection: OrderConnection, holder: SwitchHolder | null): void {
    // It has ended while this was being set.
    if (connection.isClosed && holder !== null) this.ctx.waitUntil(this.#arm(holder, connection, Date.now()));
    else if (!connection.isClosed) connection.cancelsFor = holder;
  }

  /** What ran while the connection ended may have left orders that the switch did not find when it rang. */
  #cancelLate(connection: OrderConnection): void {
    const { cancelsFor } = connection.attachment;
    if (connection.isClosed && cancelsFor !== null) this.ctx.waitUntil(this.#arm(cancelsFor, connection, Date.now()));
  }

  /** A lease that cannot be renewed rings by itself when nobody keeps it from doing so. */
  async #arm(holder: SwitchHolder, { attachment: { id } }: OrderConnection, at_ms: number): Promise<void> {
    const arm = () => cancelSwitchOf(this.env, holder).arm(holder, id, at_ms);
    try {
      await arm().catch(arm);
    } catch (error) {
      log('error', 'cancel switch out of reach', { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Keeps the place among the user's connections, and the switch that its end would ring from ringing. */
  async #keepLeases(connection: OrderConnection): Promise<void> {
    const { id, caller, cancelsFor } = connection.attachment;
    if (cancelsFor !== null) await this.#arm(cancelsFor, connection, Date.now() + CONNECTION_LEASE_MS);
    try {
      if (!(await gateOf(this.env, caller.leaseGate).acquireConnection(id, caller.clientAddress)))
        this.#drop(connection, 1008, 'too many connections');
    } catch {
      // The Gate is being restarted: asked again at the next beat.
    }
  }

  async #scheduleBeat(): Promise<void> {
    const beatDue = (this.#beatAt ?? Date.now()) + BEAT_MS;
    let at: number | null = this.#closing.isEmpty ? null : beatDue;
    for (const { credential, unprovedUntil } of this.#connections.values()) {
      const due = credential === null ? unprovedUntil : beatDue;
      at = at === null ? due : Math.min(at, due);
    }
    if (at === null) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > at) await this.ctx.storage.setAlarm(at);
  }

  #drop(connection: OrderConnection, code: number, reason: string): void {
    if (!this.#connections.delete(connection.socket)) return;
    connection.forgetWaiting();
    connection.close(code, reason);
    const { id, caller, cancelsFor } = connection.attachment;
    if (cancelsFor !== null) this.ctx.waitUntil(this.#arm(cancelsFor, connection, Date.now()));
    this.#closing.add(connection.socket, { id, leaseGate: caller.leaseGate, clientAddress: caller.clientAddress });
  }

  #say(connection: OrderConnection, message: object): void {
    if (!connection.send(JSON.stringify(message))) this.#drop(connection, 1013, 'not writable');
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function laneText({ credential, attachment }: OrderConnection, requests: readonly PendingRequest[]): string {
  const { clientAddress } = attachment.caller;
  const texts = requests.map(({ text }) => text).join();
  const lane = JSON.stringify({ credential, clientAddress, connectionId: attachment.id });
  return `${lane.slice(0, -1)},"requests":[${texts}]}`;
}

type Unreadable = { readonly id: unknown; readonly error: ApiError };

function readMessage(text: string): SocketMessage | Unreadable {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { id: null, error: apiError('VALIDATION_ERROR', 'the message is not JSON') };
  }
  const stated = (value as { id?: unknown } | null)?.id ?? null;
  const flaw = jsonFlaw(text);
  if (flaw !== null) return { id: flaw.field !== 'id' && isId(stated) ? stated : null, error: flaw.error };
  const parsed = SocketMessage.safeParse(value);
  if (parsed.success && isRequest(parsed.data) && !isBatch(parsed.data) && text.length > SINGLE_LENGTH_MAX)
    return { id: parsed.data.id, error: apiError('VALIDATION_ERROR', 'the request is too long') };
  if (parsed.success) return parsed.data;
  const details = issueDetails(parsed.error.issues);
  return { id: isId(stated) ? stated : null, error: apiError('VALIDATION_ERROR', 'the message is malformed', details) };
}

type Asked = Exclude<SocketMessage, { type: 'ping' | 'auth' }>;

function isRequest(message: SocketMessage): message is Asked {
  return message.type !== 'ping' && message.type !== 'auth';
}

function isBatch({ type }: Asked): boolean {
  return type === 'place_batch' || type === 'cancel_batch';
}

function isId(id: unknown): boolean {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= 64);
}
