import type { AccountOpening, AccountRow } from '../../domain/ledger/account-events.ts';
import { closeRequest, INNER_HEADER, openRequest, readInnerFrame } from '../fan-out/inner-protocol.ts';
import { LEDGER_SHARD } from '../ledger/api.ts';

const OPEN_TIMEOUT_MS = 10_000;

/** Who follows an account through the link. */
export interface AccountFollower {
  row(row: AccountRow): void;
  /** The socket is lost: rows may be missing from here on. */
  lost(): void;
}

interface Opening {
  readonly resolve: (opening: AccountOpening) => void;
  readonly reject: (error: Error) => void;
}

/** A feed object's socket to the ledger. It is opened with the first account that somebody follows, and again by whoever asks after a loss. */
export class LedgerLink {
  readonly #env: Env;
  readonly #followers = new Map<string, AccountFollower>();
  readonly #opening = new Map<number, Opening>();
  #socket: Promise<WebSocket> | null = null;
  #refs = 0;

  constructor(env: Env) {
    this.#env = env;
  }

  /** Every row after the answer's is handed to the follower. @throws when the ledger is out of reach */
  async open(account: string, follower: AccountFollower): Promise<AccountOpening> {
    const socket = await this.#connected();
    const ref = ++this.#refs;
    this.#followers.set(account, follower);
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<AccountOpening>((resolve, reject) => {
        this.#opening.set(ref, { resolve, reject });
        timer = setTimeout(() => reject(new Error('the ledger did not answer in time')), OPEN_TIMEOUT_MS);
        socket.send(openRequest(ref, null, account));
      });
    } catch (error) {
      this.close(account);
      throw error;
    } finally {
      clearTimeout(timer);
      this.#opening.delete(ref);
    }
  }

  close(account: string): void {
    if (!this.#followers.delete(account)) return;
    const socket = this.#socket;
    const isLast = this.#followers.size === 0;
    if (isLast) this.#socket = null;
    void socket
      ?.then((open) => (isLast ? open.close(1000, 'nobody follows') : open.send(closeRequest(account))))
      .catch(() => undefined);
  }

  #connected(): Promise<WebSocket> {
    this.#socket ??= this.#connect().catch((error: unknown) => {
      this.#socket = null;
      throw error;
    });
    return this.#socket;
  }

  async #connect(): Promise<WebSocket> {
    const response = await this.#env.LEDGER.getByName(LEDGER_SHARD).fetch('https://ledger/accounts', {
      headers: { upgrade: 'websocket', [INNER_HEADER]: '1' },
    });
    const socket = response.webSocket;
    if (socket === null) throw new Error(`the ledger answered ${response.status} to a feed`);
    socket.accept();
    socket.addEventListener('message', ({ data }) => this.#frame(String(data)));
    const lost = (): void => this.#lost(socket);
    socket.addEventListener('close', lost);
    socket.addEventListener('error', lost);
    return socket;
  }

  #frame(data: string): void {
    const frame = readInnerFrame(data);
    if (frame.type === 'opened') {
      this.#opening.get(frame.ref)?.resolve(JSON.parse(frame.messages[0] ?? 'null') as AccountOpening);
      return;
    }
    const follower = this.#followers.get(frame.key);
    for (const text of frame.texts) follower?.row(JSON.parse(text) as AccountRow);
  }

  #lost(socket: WebSocket): void {
    void this.#socket?.then((current) => {
      if (current !== socket) return;
      this.#socket = null;
      const followers = [...this.#followers.values()];
      this.#followers.clear();
      for (const { reject } of this.#opening.values()) reject(new Error('the ledger was lost'));
      for (const follower of followers) follower.lost();
    });
  }
}
