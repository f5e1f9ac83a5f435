import type { AccountOpening, AccountRow } from '../../domain/ledger/account-events.ts';
import type { JournalRow } from '../../domain/ledger/journal-row.ts';
import type { AccountBalance } from '../../domain/ledger/records.ts';
import { INNER_HEADER, openingReply, readInnerRequest, topicFrames } from '../fan-out/inner-protocol.ts';
import { log } from '../log/log.ts';
import { FollowedAccounts } from './followed-accounts.ts';

/** Events in one message; a row with more is told in parts. */
const EVENTS_PER_MESSAGE_MAX = 1_000;

/** What the feed needs of the ledger that it tells of. */
export interface AccountFeedHost {
  /** The last row of the journal. */
  readonly seq: number;
  balance(account: string, asset: string): AccountBalance;
  balances(account: string): AccountBalance[];
  openOrderIds(account: string): string[];
}

/**
 * Tells feed objects what each row of the journal does to the accounts that they follow (docs/design/feeds.md#own-account). It speaks in the turn
 * in which the row is written, so the output gate holds what it says until the row is on disk. Its sockets do not hibernate: the ledger
 * stays in memory anyway, and a feed object that loses its socket begins anew.
 */
export class AccountFeed {
  readonly #host: () => AccountFeedHost;
  readonly #followed = new FollowedAccounts();
  /** Accounts by the sockets that follow them. */
  readonly #sockets = new Map<WebSocket, Set<string>>();

  /** @param host throws while the ledger cannot be read */
  constructor(host: () => AccountFeedHost) {
    this.#host = host;
  }

  /** Takes the socket of a feed object. */
  connect(request: Request): Response {
    if (request.headers.get('upgrade') !== 'websocket' || !request.headers.has(INNER_HEADER))
      return new Response(null, { status: 426 });
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    this.#sockets.set(server, new Set());
    server.addEventListener('message', ({ data }) => this.#message(server, String(data)));
    const left = (): void => this.#left(server);
    server.addEventListener('close', left);
    server.addEventListener('error', left);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** A fault here is none of the ledger: who follows begins anew. */
  journaled(row: JournalRow): void {
    if (this.#sockets.size === 0) return;
    try {
      this.#tell(row);
    } catch (error) {
      log('error', 'bug', { reason: error instanceof Error ? error.message : String(error) });
      for (const socket of [...this.#sockets.keys()]) {
        this.#left(socket);
        socket.close(1011, 'the feed has failed');
      }
    }
  }

  #tell(row: JournalRow): void {
    const { balance } = this.#host();
    const rows = this.#followed.eventsOf(row, balance);
    for (const [account, accountRow] of rows) {
      const frames = topicFrames(account, partsOf(accountRow));
      for (const [socket, accounts] of this.#sockets) {
        if (!accounts.has(account)) continue;
        for (const frame of frames) this.#send(socket, frame);
      }
    }
  }

  #message(socket: WebSocket, data: string): void {
    const request = readInnerRequest(data);
    const { key: account } = request;
    if (request.type === 'close') {
      this.#unfollow(socket, account);
      return;
    }
    try {
      this.#send(socket, openingReply(request.ref, [JSON.stringify(this.#follow(socket, account))]));
    } catch {
      socket.close(1011, 'the ledger cannot be read');
    }
  }

  #follow(socket: WebSocket, account: string): AccountOpening {
    const host = this.#host();
    this.#sockets.get(socket)?.add(account);
    this.#followed.follow(account, host.openOrderIds(account));
    return { seq: host.seq, balances: host.balances(account) };
  }

  #unfollow(socket: WebSocket, account: string): void {
    this.#sockets.get(socket)?.delete(account);
    for (const accounts of this.#sockets.values()) if (accounts.has(account)) return;
    this.#followed.unfollow(account);
  }

  #left(socket: WebSocket): void {
    for (const account of this.#sockets.get(socket) ?? []) this.#unfollow(socket, account);
    this.#sockets.delete(socket);
  }

  #send(socket: WebSocket, text: string): void {
    try {
      socket.send(text);
    } catch {
      this.#left(socket);
    }
  }
}

function partsOf({ events, ...row }: AccountRow): string[] {
  const texts: string[] = [];
  for (let from = 0; from < events.length; from += EVENTS_PER_MESSAGE_MAX) {
    const part = events.slice(from, from + EVENTS_PER_MESSAGE_MAX);
    const text: AccountRow = { ...row, events: part, goesOn: from + part.length < events.length };
    texts.push(JSON.stringify(text));
  }
  return texts;
}
