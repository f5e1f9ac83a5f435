import { openOrdersAsOf } from '../../data/orders/open-orders-as-of.ts';
import type { AccountRow } from '../../domain/ledger/account-events.ts';
import type { FeedMessage } from '../../protocol/feeds/server-message.ts';
import { ALL_MARKETS, OWN_CHANNELS, type OwnChannel, topicKey } from '../../protocol/feeds/topic.ts';
import { LEDGER_SHARD, ledgerOf } from '../ledger/api.ts';
import { AccountState, type Told } from './account-state.ts';
import { ownBalance, ownMessage, ownOrder } from './account-wire.ts';
import type { AccountFollower, LedgerLink } from './ledger-link.ts';
import type { SharedNames } from './shared-names.ts';

/** What can be said again to one who comes back. */
const TOLD_KEPT = 1_000;
/** Orders of one message of a snapshot. */
const ORDERS_PER_SNAPSHOT = 500;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 5_000;

const LONG = 'a row of the ledger says more of one account than can be numbered';

export interface AccountStreamHost {
  readonly env: Env;
  readonly link: LedgerLink;
  readonly names: SharedNames;
  follows(key: string): boolean;
  publish(key: string, texts: readonly string[]): void;
}

/** What the own channels of an account say; one that a message does not concern never hears of it. */
const SAID_ON: Readonly<Record<OwnChannel, ReadonlySet<Told['type']>>> = {
  account: new Set(['order', 'fill', 'adjusted', 'balance']),
  orders: new Set(['order', 'fill', 'adjusted']),
  fills: new Set(['fill', 'adjusted']),
  balances: new Set(['balance']),
};

interface Live {
  readonly state: AccountState;
  /** By channel: sequence of the last thing said on it. */
  readonly said: Record<OwnChannel, number>;
  /** What was told last, and the sequence before the first of it. */
  told: Told[];
  toldAfter: number;
}

/**
 * One account over all markets, as the ledger has it (docs/design/feeds.md#own-account). It opens the account at the ledger, reads the open orders
 * as D1 shows them once that has caught up, and keeps both right by the ledger's rows. What concerns it is done in turns, so that who
 * joins gets its snapshot between two rows.
 */
export class AccountStream implements AccountFollower {
  readonly #host: AccountStreamHost;
  readonly #account: string;
  #live: Live | null = null;
  /** Rows that came while the account was being read; null once it is live. */
  #early: AccountRow[] | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #isEnded = false;
  /** The ledger's socket that rows come by; a loss makes it another. */
  #generation = 0;
  #awaiting = 0;

  constructor(host: AccountStreamHost, account: string) {
    this.#host = host;
    this.#account = account;
  }

  /** Whether a client waits for it. */
  get isAwaited(): boolean {
    return this.#awaiting > 0;
  }

  /** Sequence of the last thing said on a channel; null while the account is being read. */
  saidOn(channel: OwnChannel): number | null {
    return this.#live?.said[channel] ?? null;
  }

  /**
   * `join` gets what the channel begins with; what is published from then on follows it.
   *
   * @throws while ledger or D1 are out of reach
   */
  async open(
    channel: OwnChannel,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<void> {
    this.#awaiting += 1;
    try {
      await this.#inTurn(async () => {
        join(this.#opening(channel, resumeFrom, await this.#started()));
      });
    } finally {
      this.#awaiting -= 1;
    }
  }

  /** Begins for channels whose followers are here already: an instance before this one was evicted, or the ledger was lost. */
  async resume(): Promise<void> {
    for (let delay_ms = RETRY_MS_MIN; this.#isFollowed; delay_ms = Math.min(RETRY_MS_MAX, delay_ms * 2)) {
      const isDone = await this.#inTurn(() => this.#started()).then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
    }
  }

  row(row: AccountRow): void {
    if (this.#early !== null) {
      this.#early.push(row);
      return;
    }
    const generation = this.#generation;
    void this.#inTurn(async () => {
      if (this.#live === null || generation !== this.#generation) return;
      const told = await this.#apply(this.#live.state, row);
      if (told === null) this.lost();
      else this.#say(told, this.#live);
    }).catch(() => this.lost());
  }

  lost(): void {
    this.#generation += 1;
    this.#live = null;
    this.#early = null;
    this.#host.link.close(this.#account);
    if (!this.#isEnded) void this.resume();
  }

  end(): void {
    this.#isEnded = true;
    this.#live = null;
    this.#host.link.close(this.#account);
  }

  /** Begins where it has not: who follows it already has lost what came meanwhile, and hears it anew. */
  async #started(): Promise<Live> {
    if (this.#live !== null) return this.#live;
    const live = await this.#begin();
    this.#live = live;
    for (const channel of OWN_CHANNELS) {
      const key = this.#key(channel);
      if (this.#host.follows(key)) this.#host.publish(key, this.#anew(channel, live));
    }
    return live;
  }

  /**
   * Follows the account at the ledger, then reads its open orders as D1 shows them once that has caught up. A second opening comes by the
   * same socket as the rows: whatever D1 has of them has arrived before it.
   */
  async #begin(): Promise<Live> {
    const { env, link, names } = this.#host;
    const generation = ++this.#generation;
    const early: AccountRow[] = [];
    this.#early = early;
    try {
      const followed = await link.open(this.#account, this);
      if (!(await ledgerOf(env).projected())) throw new Error('the read model is behind');
      const { seq, orders } = await openOrdersAsOf(env.DB, LEDGER_SHARD, this.#account);
      if (seq < followed.seq) throw new Error('the read model is being written again');
      const { seq: arrived, balances } = await link.open(this.#account, this);
      for (const { book, ...scales } of orders) names.markets.set(book, scales);
      await names.learn(
        [],
        balances.map(({ asset }) => asset),
      );
      const state = new AccountState(seq, orders, balances);
      // Nobody has heard of these rows, and the snapshot will have them.
      for (const row of early)
        if (row.seq > seq && (await this.#apply(state, row)) === null) throw new RangeError(LONG);
      if (generation !== this.#generation || this.#isEnded) throw new Error('the ledger was lost');
      state.reach(arrived);
      this.#early = null;
      const { sequence } = state;
      const said = { account: sequence, orders: sequence, fills: sequence, balances: sequence };
      return { state, said, told: [], toldAfter: sequence };
    } catch (error) {
      this.#early = null;
      link.close(this.#account);
      throw error;
    }
  }

  async #apply(state: AccountState, row: AccountRow): Promise<Told[] | null> {
    const { events } = row;
    await this.#host.names.learn(
      events.flatMap((event) => (event.type === 'balance' ? [] : [event.book])),
      events.flatMap((event) => (event.type === 'balance' ? [event.balance.asset] : [])),
    );
    return state.apply(row);
  }

  #say(told: readonly Told[], live: Live): void {
    live.told.push(...told);
    if (live.told.length > 2 * TOLD_KEPT) {
      live.toldAfter = live.told.at(-TOLD_KEPT - 1)?.sequence ?? live.toldAfter;
      live.told = live.told.slice(-TOLD_KEPT);
    }
    for (const channel of OWN_CHANNELS) {
      const texts = this.#textsOf(told, channel, live.said[channel]);
      live.said[channel] = texts.last;
      const key = this.#key(channel);
      if (texts.texts.length > 0 && this.#host.follows(key)) this.#host.publish(key, texts.texts);
    }
  }

  #textsOf(told: readonly Told[], channel: OwnChannel, after: number): { texts: string[]; last: number } {
    const texts: string[] = [];
    let last = after;
    for (const one of told) {
      if (one.sequence <= after || !SAID_ON[channel].has(one.type)) continue;
      const message = ownMessage(one, channel, last, this.#host.names);
      if (message === null) continue;
      texts.push(text(message));
      last = one.sequence;
    }
    return { texts, last };
  }

  #opening(channel: OwnChannel, resumeFrom: number | null, live: Live): string[] {
    const sequence = live.said[channel];
    const subscribed = text({ type: 'subscribed', channel, symbol: ALL_MARKETS, sequence });
    if (resumeFrom === null) return [subscribed, ...this.#snapshot(channel, live)];
    if (resumeFrom >= live.toldAfter && resumeFrom <= live.state.sequence)
      return [subscribed, ...this.#textsOf(live.told, channel, resumeFrom).texts];
    return [subscribed, ...this.#anew(channel, live)];
  }

  #anew(channel: OwnChannel, live: Live): string[] {
    const reset = text({ type: 'reset', channel, symbol: ALL_MARKETS, sequence: live.said[channel] });
    return [reset, ...this.#snapshot(channel, live)];
  }

  #snapshot(channel: OwnChannel, { state, said }: Live): string[] {
    const place = { channel, symbol: ALL_MARKETS, sequence: said[channel], timestamp: Date.now() } as const;
    const { markets, assets } = this.#host.names;
    const texts: string[] = [];
    if (SAID_ON[channel].has('order')) {
      const orders = state.openOrders.flatMap((order) => {
        const scales = markets.get(order.book);
        return scales === undefined ? [] : [ownOrder(order, scales)];
      });
      for (let from = 0; from === 0 || from < orders.length; from += ORDERS_PER_SNAPSHOT) {
        const part = orders.slice(from, from + ORDERS_PER_SNAPSHOT);
        const more = from + ORDERS_PER_SNAPSHOT < orders.length;
        texts.push(text({ type: 'orders_snapshot', ...place, orders: part, more }));
      }
    }
    if (SAID_ON[channel].has('balance')) {
      const balances = state.balances.flatMap((balance) => {
        const asset = assets.get(balance.asset);
        return asset == null ? [] : [ownBalance(balance, asset)];
      });
      texts.push(text({ type: 'balances_snapshot', ...place, balances }));
    }
    return texts;
  }

  #key(channel: OwnChannel): string {
    return topicKey({ channel, symbol: ALL_MARKETS, account: this.#account });
  }

  get #isFollowed(): boolean {
    return !this.#isEnded && OWN_CHANNELS.some((channel) => this.#host.follows(this.#key(channel)));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

function text(message: FeedMessage): string {
  return JSON.stringify(message);
}
