import { database } from '../../data/database.ts';
import { hasOrdersOn } from '../../data/orders/account-orders.ts';
import { maySee } from '../../domain/accreditation/may-see.ts';
import { STREAMS_PER_BOOK_MAX } from '../../domain/limits/connection-leases.ts';
import { type ClientMessage, readClientMessage } from '../../protocol/feeds/client-message.ts';
import type { FeedError, MessageError } from '../../protocol/feeds/feed-error.ts';
import { partnerText } from '../../protocol/feeds/partner-message.ts';
import type { ServerMessage } from '../../protocol/feeds/server-message.ts';
import { ALL_MARKETS, OWN_CHANNELS, type Topic, topicKey, topicOf } from '../../protocol/feeds/topic.ts';
import type { Watcher } from '../gate/api.ts';
import { gateOf } from '../gate/api.ts';
import { authenticate } from './authenticate.ts';
import { CALLER_HEADER, type Caller, type PartnerStream } from './caller.ts';
import { ClosingSockets } from './closing-sockets.ts';
import { type Attachment, Connection } from './connection.ts';
import { drawSubscription } from './draw-subscription.ts';
import type { FeedSource } from './feed-source.ts';
import { identityNow, seesAs } from './identity.ts';
import { INNER_HEADER, openingReply, readInnerRequest, topicFrames } from './inner-protocol.ts';
import type { ListedMarkets } from './listed-markets.ts';
import { PacedTopic } from './paced-topic.ts';
import { endedStreams } from './partner-streams.ts';

/** The attachment of a socket must hold them all. */
const SUBSCRIPTIONS_MAX = 100;
const CLIENT_MESSAGE_LENGTH_MAX = 16 * 1_024;
/** A connection that follows nothing is closed after this. */
const IDLE_MS_MAX = 10_000;
/**
 * An alarm may ring some milliseconds before its time. What is due by then is done: an alarm that is set anew to the time of the one that rings
 * is lost, and the next would come with the next beat.
 */
const ALARM_EARLY_MS = 100;
/** Heartbeats, leases and credentials; a lease ends after 60 s. */
const BEAT_MS = 20_000;

/** Who follows one topic, and when its messages leave. */
interface Group {
  readonly followers: Set<Connection>;
  readonly pace: PacedTopic;
}

/**
 * The sockets of one object and what they follow: a book's own, or a feed object's (docs/design/feeds.md#fan-out). All of them
 * hibernate: what they follow stands in their attachments, and the hub is built from those again. Each message is made once and sent to
 * all followers of its topic.
 */
export class Hub {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #source: FeedSource;
  readonly #markets: ListedMarkets;
  readonly #watcher: Watcher;
  readonly #connections = new Map<WebSocket, Connection>();
  readonly #closing: ClosingSockets;
  readonly #groups = new Map<string, Group>();
  #beatAt: number | null = null;

  /** @param kind of the object whose sockets they are */
  constructor(
    ctx: DurableObjectState,
    env: Env,
    { kind, source, markets }: { kind: Watcher['kind']; source: FeedSource; markets: ListedMarkets },
  ) {
    this.#ctx = ctx;
    this.#env = env;
    this.#source = source;
    this.#markets = markets;
    this.#watcher = { kind, name: ctx.id.name ?? '' };
    this.#closing = new ClosingSockets(ctx, env);
    for (const socket of ctx.getWebSockets()) {
      const connection = new Connection(socket, socket.deserializeAttachment() as Attachment);
      this.#connections.set(socket, connection);
      for (const key of connection.attachment.topics) this.#group(key).followers.add(connection);
    }
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('{"type":"ping"}', '{"type":"pong"}'));
  }

  /** Keys of the topics that someone follows. */
  get topics(): IterableIterator<string> {
    return this.#groups.keys();
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  follows(key: string): boolean {
    return this.#groups.has(key);
  }

  /** Takes a WebSocket that the Worker, or a feed object, opens; 429 for a partner's stream beyond STREAMS_PER_BOOK_MAX. */
  connect(request: Request): Response {
    const caller = JSON.parse(request.headers.get(CALLER_HEADER) ?? 'null') as Caller | null;
    if (request.headers.get('upgrade') !== 'websocket' || caller === null) return new Response(null, { status: 426 });
    const tags = caller.stream === undefined ? [] : [`organization ${caller.stream.organization}`];
    // Those that were closed and are still unread count, too.
    if (tags.some((tag) => this.#ctx.getWebSockets(tag).length >= STREAMS_PER_BOOK_MAX))
      return new Response(null, { status: 429 });
    const { 0: client, 1: server } = new WebSocketPair();
    const attachment: Attachment = {
      id: request.headers.get('x-request-id') ?? crypto.randomUUID(),
      role: request.headers.has(INNER_HEADER) ? 'feed' : 'client',
      caller,
      topics: [],
      idleSince: Date.now(),
    };
    this.#ctx.acceptWebSocket(server, tags);
    server.serializeAttachment(attachment);
    const connection = new Connection(server, attachment);
    this.#connections.set(server, connection);
    // From now on it is told when the credential changes; what changed since the Worker looked is seen at once.
    this.#ctx.waitUntil(this.#look(connection, Date.now()));
    if (caller.stream !== undefined) this.#ctx.waitUntil(this.#openStream(connection, caller.stream));
    return new Response(null, { status: 101, webSocket: client });
  }

  /** A stream of partners follows its topic from the handshake on. */
  async #openStream(connection: Connection, { topic, resumeFrom }: PartnerStream): Promise<void> {
    const error = await this.#source.open(topicOf(topic), resumeFrom, (messages) => {
      if (this.#join(connection, topic)) for (const text of messages) connection.say(text);
    });
    if (error !== null) this.#drop(connection, 1011, error.message);
  }

  /** When `beat` wants to be called next; null when nobody is connected. */
  nextBeat(now_ms: number): number | null {
    const beatDue = (this.#beatAt ?? now_ms) + BEAT_MS;
    let at: number | null = this.#closing.isEmpty ? null : beatDue;
    for (const { attachment } of this.#connections.values()) {
      if (attachment.role === 'feed' && attachment.topics.length === 0) continue;
      const idle = attachment.topics.length === 0;
      const due = idle ? attachment.idleSince + IDLE_MS_MAX : beatDue;
      at = at === null ? due : Math.min(at, due);
    }
    return at;
  }

  /** Closes who follows nothing or may no longer listen, keeps the leases, and tells quiet topics that nothing is missing. */
  async beat(now_ms: number): Promise<void> {
    for (const connection of this.#connections.values()) {
      const { role, topics, idleSince } = connection.attachment;
      if (role === 'client' && topics.length === 0 && now_ms - idleSince >= IDLE_MS_MAX - ALARM_EARLY_MS)
        this.#drop(connection, 1000, 'idle: nothing was subscribed');
    }
    // An object that was evicted does not know when it last did: it is woken because the time has come.
    if (this.#beatAt !== null && now_ms < this.#beatAt + BEAT_MS - ALARM_EARLY_MS) return;
    this.#beatAt = now_ms;
    for (const key of this.#groups.keys()) {
      const text = this.#source.heartbeat(topicOf(key), now_ms);
      if (text !== null) this.publish(key, [text]);
    }
    const clients = [...this.#connections.values()].filter(({ attachment }) => attachment.role === 'client');
    await Promise.all([
      this.#conceal(clients),
      this.#endStreams(clients),
      this.#closing.keep(),
      ...clients.map((connection) => this.#keep(connection, now_ms)),
    ]);
  }

  /** Ends topics of offerings that their follower may see no more. Own orders stay: nobody is solicited by those. */
  async #conceal(clients: readonly Connection[]): Promise<void> {
    const shown = [...this.#groups.keys()].map(topicOf).filter((topic) => !('account' in topic));
    const symbols = [...new Set(shown.map(({ symbol }) => symbol))];
    if (symbols.length === 0) return;
    let markets: Awaited<ReturnType<ListedMarkets['findAll']>>;
    try {
      markets = await this.#markets.findAll(symbols);
    } catch {
      // D1 is away: asked again at the next beat.
      return;
    }
    for (const connection of clients) {
      const { topics, caller } = connection.attachment;
      if (caller.stream !== undefined) continue;
      for (const key of topics) {
        const topic = topicOf(key);
        const { channel, symbol } = topic;
        // One that was opened since is as its subscription found it.
        if ('account' in topic || !symbols.includes(symbol)) continue;
        const market = markets.get(symbol);
        if (market !== undefined && maySee(market, caller.identity?.facts ?? null)) continue;
        this.#leave(connection, key);
        this.#refuse(connection, topic, unsupported(symbol));
        this.#say(connection, { type: 'unsubscribed', channel, symbol });
      }
    }
  }

  /** Closes streams of partners that follow their security no more. */
  async #endStreams(clients: readonly Connection[]): Promise<void> {
    let ended: Awaited<ReturnType<typeof endedStreams>>;
    try {
      ended = await endedStreams(
        this.#env,
        clients.flatMap(({ attachment: { caller } }) => caller.stream ?? []),
      );
    } catch {
      // D1 is away: asked again at the next beat.
      return;
    }
    for (const connection of clients) {
      const { stream } = connection.attachment.caller;
      if (stream !== undefined && ended.has(stream))
        this.#drop(connection, 1008, 'the organization may not follow the security');
    }
  }

  /** Closes connections whose credential holds no longer: what the Gate of this name knows has changed. */
  async credentialChanged(gate: string): Promise<void> {
    const concerned = [...this.#connections.values()].filter(({ attachment: { caller } }) => {
      return caller.identity?.credential.gate === gate;
    });
    await Promise.all(concerned.map((connection) => this.#look(connection, Date.now())));
  }

  /** Sends messages to all who follow a topic, at once or shortly. */
  publish(key: string, texts: readonly string[]): void {
    this.#groups.get(key)?.pace.publish(texts);
  }

  #send(key: string, followers: ReadonlySet<Connection>, texts: readonly string[]): number {
    let frames: readonly string[] | null = null;
    let streamed: readonly string[] | null = null;
    const reached = followers.size;
    for (const connection of followers) {
      const { role, caller } = connection.attachment;
      let said = texts;
      if (role === 'feed') {
        frames ??= topicFrames(key, texts);
        said = frames;
      } else if (caller.stream !== undefined) {
        const { securityId } = caller.stream;
        streamed ??= texts.flatMap((text) => partnerText(text, securityId) ?? []);
        said = streamed;
      }
      for (const text of said) {
        if (connection.send(text)) continue;
        this.#drop(connection, 1011, 'not writable');
        break;
      }
    }
    return reached;
  }

  async message(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    if (typeof data !== 'string' || data.length > CLIENT_MESSAGE_LENGTH_MAX) {
      this.#drop(connection, 1009, 'send small text messages');
    } else if (!connection.mayTalk(Date.now())) {
      this.#drop(connection, 1008, 'too many messages');
    } else if (connection.attachment.role === 'feed') {
      // In their order: a close must find what was opened before it.
      await connection.inTurn(() => this.#innerMessage(connection, data));
    } else {
      await this.#clientMessage(connection, data);
    }
  }

  closed(socket: WebSocket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined) this.#drop(connection, 1000, '');
    this.#closing.closed(socket);
  }

  async #clientMessage(connection: Connection, data: string): Promise<void> {
    const message = readClientMessage(data);
    if ('code' in message) return this.#fail(connection, message);
    const isStream = connection.attachment.caller.stream !== undefined;
    if (isStream && message.type !== 'ping' && message.type !== 'pong')
      return this.#fail(connection, { code: 'VALIDATION_ERROR', message: 'a stream takes ping and pong alone' });
    switch (message.type) {
      case 'ping':
        return this.#say(connection, { type: 'pong', ...(message.id === undefined ? {} : { id: message.id }) });
      case 'pong':
        if (message.id !== undefined) connection.confirm(message.id);
        return;
      default:
        return connection.inTurn(() => this.#request(connection, message));
    }
  }

  #request(
    connection: Connection,
    message: Extract<ClientMessage, { type: 'subscribe' | 'unsubscribe' | 'auth' }>,
  ): Promise<void> | void {
    if (!this.#connections.has(connection.socket)) return;
    switch (message.type) {
      case 'subscribe':
        return this.#subscribe(connection, message);
      case 'unsubscribe':
        return this.#unsubscribe(connection, message);
      case 'auth':
        return this.#authenticate(connection, message);
    }
  }

  async #subscribe(connection: Connection, message: Extract<ClientMessage, { type: 'subscribe' }>): Promise<void> {
    const { caller, topics } = connection.attachment;
    const account = caller.identity?.account ?? null;
    const isOwn = OWN_CHANNELS.some((channel) => channel === message.channel);
    if (isOwn && account === null) {
      return this.#refuse(
        connection,
        message,
        caller.identity === null
          ? { code: 'UNAUTHORIZED', message: `${message.channel} needs a credential` }
          : { code: 'FORBIDDEN', message: 'the credential has no account that it may read' },
      );
    }
    const { symbol } = message;
    const topic = topicFor(message, account ?? '');
    const replaced = topics.find((key) => isSameStream(topicOf(key), topic));
    if (replaced === undefined && topics.length >= SUBSCRIPTIONS_MAX) {
      return this.#refuse(connection, message, {
        code: 'TOO_MANY_SUBSCRIPTIONS',
        message: `a connection has at most ${SUBSCRIPTIONS_MAX}`,
      });
    }
    const notDrawn = await drawSubscription(this.#env, caller);
    if (notDrawn !== null) {
      this.#letWait(connection, notDrawn.wait_ms);
      return this.#refuse(connection, message, notDrawn.error);
    }
    if (symbol !== ALL_MARKETS && !(await this.#mayFollow(message, caller.identity)))
      return this.#refuse(connection, message, unsupported(symbol));
    if (replaced !== undefined) this.#leave(connection, replaced);
    const error = await this.#source.open(topic, message.resume_from ?? null, (messages) => {
      if (this.#join(connection, topicKey(topic))) for (const text of messages) connection.send(text);
    });
    if (error !== null) this.#refuse(connection, message, error);
  }

  /** A pair that must not be shown is one that does not exist, unless the account has placed orders there: these it may always follow. */
  async #mayFollow(
    { channel, symbol }: Pick<Topic, 'channel' | 'symbol'>,
    identity: Caller['identity'],
  ): Promise<boolean> {
    const market = await this.#markets.find(symbol);
    if (market !== null && maySee(market, identity?.facts ?? null)) return true;
    const account = channel === 'orders' ? (identity?.account ?? null) : null;
    // Who may not see the pair places none there now, so those that there are stand in D1.
    return account !== null && hasOrdersOn(database(this.#env.DB), account, symbol);
  }

  #unsubscribe(connection: Connection, message: Extract<ClientMessage, { type: 'unsubscribe' }>): void {
    const { channel, symbol } = message;
    const wanted = connection.attachment.topics.filter((key) => {
      const topic = topicOf(key);
      if (topic.channel !== channel || topic.symbol !== symbol) return false;
      return topic.channel !== 'candles' || message.interval === undefined || topic.interval === message.interval;
    });
    for (const key of wanted) this.#leave(connection, key);
    this.#say(connection, { type: 'unsubscribed', channel, symbol });
  }

  async #authenticate(connection: Connection, message: Extract<ClientMessage, { type: 'auth' }>): Promise<void> {
    const { caller } = connection.attachment;
    const { api_key, api_secret, token } = message;
    const identity = await authenticate(
      this.#env,
      token === undefined ? { type: 'key', keyId: api_key ?? '', secret: api_secret ?? '' } : { type: 'token', token },
      caller.clientAddress,
      (seconds) => this.#letWait(connection, seconds * 1_000),
    );
    if (identity === 'refused') {
      this.#fail(connection, { code: 'UNAUTHORIZED', message: 'missing or invalid authentication' });
      return this.#drop(connection, 1008, 'invalid authentication');
    }
    if (!this.#connections.has(connection.socket)) return;
    if (identity === 'limited')
      return this.#fail(connection, { code: 'RATE_LIMIT_EXCEEDED', message: 'too many requests' });
    const before = connection.attachment.caller.identity;
    // What it follows already was opened for the first one.
    if (before !== null && !seesAs(before, identity))
      return this.#fail(connection, {
        code: 'FORBIDDEN',
        message: 'this connection is another account’s: open one of its own',
      });
    connection.update({ caller: { ...caller, identity } });
    this.#ctx.waitUntil(this.#look(connection, Date.now()));
    this.#say(connection, { type: 'authenticated' });
  }

  /** Who is told to wait is idle from then on. */
  #letWait(connection: Connection, wait_ms: number): void {
    if (wait_ms > 0 && this.#connections.has(connection.socket)) connection.update({ idleSince: Date.now() + wait_ms });
  }

  /** A feed object opens and closes topics for its own clients, whom it has checked. */
  async #innerMessage(connection: Connection, data: string): Promise<void> {
    const request = readInnerRequest(data);
    if (request.type === 'close') return this.#leave(connection, request.key);
    const topic = topicOf(request.key);
    const error = await this.#source.open(topic, request.resumeFrom, (messages) => {
      if (this.#join(connection, request.key)) connection.send(openingReply(request.ref, messages));
    });
    if (error !== null) connection.send(openingReply(request.ref, [JSON.stringify({ type: 'error', ...error })]));
  }

  /** Keeps the place among the user's connections, if the credential holds. */
  async #keep(connection: Connection, now_ms: number): Promise<void> {
    const { id, caller } = connection.attachment;
    try {
      if (!(await gateOf(this.#env, caller.leaseGate).acquireConnection(id, caller.clientAddress)))
        return this.#drop(connection, 1008, 'too many connections');
    } catch {
      // The Gate is being restarted: asked again at the next beat.
    }
    await this.#look(connection, now_ms);
  }

  /** Closes a connection whose credential holds no longer, or stands for less or more than when it was shown. */
  async #look(connection: Connection, now_ms: number): Promise<void> {
    const { identity } = connection.attachment.caller;
    if (identity === null) return;
    try {
      const now = await identityNow(this.#env, identity, this.#watcher, now_ms);
      // Another credential may have come meanwhile.
      if (connection.attachment.caller.identity !== identity) return;
      if (now === null) this.#drop(connection, 1008, 'the credential holds no longer');
      else if (!seesAs(now, identity))
        this.#drop(connection, 1008, 'what the credential may see has changed: connect again');
    } catch {
      // The Gate is being restarted, or the provider's keys are out of reach: asked again at the next beat.
    }
  }

  /** False for a socket that was closed while its topic was being opened. */
  #join(connection: Connection, key: string): boolean {
    if (!this.#connections.has(connection.socket)) return false;
    const group = this.#group(key);
    // What waits is older than the message that opens the topic for this one.
    group.pace.flush();
    group.followers.add(connection);
    const { topics } = connection.attachment;
    if (!topics.includes(key)) connection.update({ topics: [...topics, key] });
    return true;
  }

  #leave(connection: Connection, key: string): void {
    connection.update({ topics: connection.attachment.topics.filter((other) => other !== key), idleSince: Date.now() });
    this.#ungroup(connection, key);
  }

  #ungroup(connection: Connection, key: string): void {
    const group = this.#groups.get(key);
    if (group?.followers.delete(connection) !== true || group.followers.size > 0) return;
    group.pace.end();
    this.#groups.delete(key);
    this.#source.close(topicOf(key));
  }

  #group(key: string): Group {
    let group = this.#groups.get(key);
    if (group === undefined) {
      const followers = new Set<Connection>();
      group = { followers, pace: new PacedTopic((texts) => this.#send(key, followers, texts)) };
      this.#groups.set(key, group);
    }
    return group;
  }

  #drop(connection: Connection, code: number, reason: string): void {
    if (!this.#connections.delete(connection.socket)) return;
    const { id, role, caller, topics } = connection.attachment;
    for (const key of topics) this.#ungroup(connection, key);
    connection.close(code, reason);
    if (role === 'client')
      this.#closing.add(connection.socket, { id, leaseGate: caller.leaseGate, clientAddress: caller.clientAddress });
  }

  #say(connection: Connection, message: ServerMessage): void {
    connection.say(JSON.stringify(message));
  }

  #fail(connection: Connection, error: MessageError): void {
    this.#say(connection, { type: 'error', ...error });
  }

  /** Says of which subscription: a client may have asked for many at once. */
  #refuse(connection: Connection, { channel, symbol }: Pick<Topic, 'channel' | 'symbol'>, error: FeedError): void {
    this.#say(connection, { type: 'error', ...error, channel, symbol });
  }
}

function unsupported(symbol: string): FeedError {
  return { code: 'INVALID_SYMBOL', message: `trading pair unsupported: ${symbol}` };
}

function topicFor(message: Extract<ClientMessage, { type: 'subscribe' }>, account: string): Topic {
  const { channel, symbol, depth, interval } = message;
  switch (channel) {
    case 'orderbook':
      return { channel, symbol, depth };
    case 'candles':
      return { channel, symbol, interval };
    case 'orders':
      return { channel, symbol, account };
    case 'account':
    case 'fills':
    case 'balances':
      return { channel, symbol: ALL_MARKETS, account };
    default:
      return { channel, symbol };
  }
}

/** A second subscription to a book replaces the first: its messages do not say which depth they are for. */
function isSameStream(a: Topic, b: Topic): boolean {
  if (a.channel !== b.channel || a.symbol !== b.symbol) return false;
  return a.channel !== 'candles' || b.channel !== 'candles' || a.interval === b.interval;
}
