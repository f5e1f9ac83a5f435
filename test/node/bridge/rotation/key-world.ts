import type { PaymentOrder, SigningScheme, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { ORGANIZATION } from '../../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { type KeyOutcome, makeNextKey, reshareKeys } from '../../../../domain/bridge/signing/ceremony/next-ceremony.ts';
import { type HostedSigner, hostSigner } from '../../../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys, type PublicCluster } from '../../../../domain/bridge/signing/key-share.ts';
import { PlainMemory } from '../../../../domain/bridge/signing/memory/plain-memory.fixtures.ts';
import { paymentDigest } from '../../../../domain/bridge/signing/payment-digest.ts';
import { TERMS } from '../../../../domain/bridge/signing/signing.fixtures.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../../../domain/bridge/transfer.ts';
import { type TransferTerms, termsCommitment } from '../../../../domain/bridge/transfer-terms.ts';
import { clusterOf } from '../../../../durable-objects/bridge-chains/signing-cluster.ts';
import type { ChainCalls } from '../../../../protocol/bridge/chains-api.ts';
import { PlayedChain } from './played-chain.ts';

/** What may happen at a call of a signer. `power gone n`: its disk takes n more changes, and it is started again. */
export const HAPPENINGS = [
  'right',
  'away',
  'answer lost',
  'restart',
  'power gone 0',
  'power gone 1',
  'power gone 2',
  'coordinator killed',
] as const;
export type Happening = (typeof HAPPENINGS)[number];

/** Lost for good and not replaced yet, of five that any three sign for. */
const LOST_MAX = CLUSTER_SIZE - CLUSTER_THRESHOLD;

interface Underway {
  readonly terms: TransferTerms;
  readonly commitment: string;
  readonly cluster: PublicCluster;
  readonly orders: PaymentOrder[];
  /** The order of now is to be cancelled: nothing else is signed before it is void, or was paid after all. */
  isCancelled: boolean;
  isBusy: boolean;
}

/** Whoever runs a ceremony or has a payment signed. Killed, it reaches nobody any more. */
interface Coordinator {
  isDead: boolean;
}

/** Five signers over disks, operators that run key ceremonies, and transfers that are paid meanwhile. */
export class KeyWorld {
  readonly chain: PlayedChain;
  readonly scheme: SigningScheme;
  readonly transfers: Underway[] = [];
  /** Signers, disks, answers and coordinators that were killed. */
  kills = 0;
  /** Why the payment that was tried last was not signed. */
  why = '';
  #disks: PlainMemory[] = Array.from({ length: CLUSTER_SIZE }, () => new PlainMemory());
  #hosts: HostedSigner[] = [];
  /** As the five operators have set it: who the five are. */
  #roster: readonly string[] | null = null;
  /** Disks that are gone: nobody answers there. */
  readonly #gone = new Set<number>();
  /** Others in their places, who lack some key yet. */
  readonly #bare = new Set<number>();
  #current: PublicCluster;
  readonly #happens: () => Happening;
  /** Whose turn it is among what runs at the same time. */
  readonly #turn: () => Promise<void>;

  private constructor(scheme: SigningScheme, happens: () => Happening, turn: () => Promise<void>) {
    this.scheme = scheme;
    this.#happens = happens;
    this.#turn = turn;
    const none = { scheme, generation: 0, commitments: [], verifyingShares: [] };
    this.#current = none;
    this.chain = new PlayedChain(none);
    for (const number of this.#disks.keys()) this.#start(number);
  }

  static async open(scheme: SigningScheme, happens: () => Happening, turn: () => Promise<void>): Promise<KeyWorld> {
    const world = new KeyWorld(scheme, happens, turn);
    const made = await makeNextKey({ organization: ORGANIZATION, scheme, signers: world.#hosts });
    if (!made.ok) throw new Error(`no first key: ${JSON.stringify(made)}`);
    world.#current = made.cluster;
    return world;
  }

  /** A transfer whose funds have come, and which the guard has counted: it is to be paid, whatever happens. */
  begin(): void {
    const number = String(this.transfers.length + 1).padStart(12, '0');
    const terms: TransferTerms = { ...TERMS, id: `0192f0c1-2f3a-7000-8000-${number}` };
    this.chain.begin(terms, this.#current);
    this.transfers.push({
      terms,
      commitment: termsCommitment(terms),
      cluster: this.#current,
      orders: [],
      isCancelled: false,
      isBusy: false,
    });
  }

  /** Has the payment of a transfer signed and handed in, once; what it was ordered as stands. */
  async pay(index: number, kind: 'payout' | 'cancel' = 'payout'): Promise<void> {
    const transfer = this.transfers[index % this.transfers.length];
    // The object of a transfer does one thing at a time.
    if (transfer === undefined || transfer.isBusy) return;
    transfer.isBusy = true;
    try {
      await this.#pay(transfer, kind);
    } finally {
      transfer.isBusy = false;
    }
  }

  /** The same keys on other shares, to the five of now. */
  async reshare(): Promise<KeyOutcome> {
    const coordinator = { isDead: false };
    const outcome = await reshareKeys({
      organization: ORGANIZATION,
      scheme: this.scheme,
      signers: this.#five(coordinator),
    });
    return outcome;
  }

  /** Another key beside those that there are: transfers that begin once it is answered have its vault. */
  async rotate(): Promise<KeyOutcome> {
    const outcome = await makeNextKey({
      organization: ORGANIZATION,
      scheme: this.scheme,
      signers: this.#five({ isDead: false }),
    });
    if (outcome.ok) this.#current = outcome.cluster;
    return outcome;
  }

  /** A disk is gone for good. Two at most, until others have taken their places and have all keys. */
  lose(number: number): void {
    if (this.#bare.size + this.#gone.size >= LOST_MAX || this.#gone.has(number) || this.#bare.has(number)) return;
    this.#gone.add(number);
    this.kills += 1;
  }

  /** Operators set up signers anew in the place of those that are lost, tell the others, and have the keys dealt to them. */
  async replace(): Promise<KeyOutcome> {
    for (const number of this.#gone) {
      this.#disks[number] = new PlainMemory();
      this.#bare.add(number);
      this.#start(number);
    }
    this.#gone.clear();
    this.#roster = await Promise.all(this.#hosts.map((host) => host.identity()));
    for (const number of this.#disks.keys()) this.#start(number);
    const outcome = await this.reshare();
    if (outcome.ok) for (const number of this.#bare) if (await this.#hasAll(number)) this.#bare.delete(number);
    return outcome;
  }

  /** Nothing fails any more: how many rounds of the operators, and of each payment, until everything has ended. */
  async settle(roundsMax: number): Promise<void> {
    let outcome: KeyOutcome = { ok: false, reason: 'away' };
    for (let round = 0; round < roundsMax && !outcome.ok; round += 1) outcome = await this.replace();
    if (!outcome.ok) throw new Error(`the keys are not dealt: ${JSON.stringify(outcome)}`);
    for (let round = 0; round < roundsMax; round += 1) for (const index of this.transfers.keys()) await this.pay(index);
  }

  /** What is not as it should be once everything has ended. */
  async faults(): Promise<string[]> {
    const counts = this.transfers.map(({ commitment }) => this.chain.paid.get(commitment)?.length ?? 0);
    const paid = counts.flatMap((count, index) =>
      count === 1 ? [] : [`transfer ${index} was paid ${count} times: ${this.why}`],
    );
    const clusters = await Promise.all(this.#hosts.map((host) => host.clusters()));
    const differing = clusters.filter((own) => JSON.stringify(own) !== JSON.stringify(clusters[0]));
    return [...paid, ...(differing.length === 0 ? [] : ['signers have different generations'])];
  }

  async #pay(transfer: Underway, kind: 'payout' | 'cancel'): Promise<void> {
    const { terms, commitment, orders } = transfer;
    this.why = '';
    const last = orders.at(-1);
    const before = last === undefined ? null : await this.chain.status(terms, 'destination', last);
    if (before?.state === 'paid' || (kind === 'cancel' && last === undefined)) return;
    if (last === undefined || before?.state === 'void') {
      const to = terms.destination.kind === 'chain' ? terms.destination.address : '';
      const reference = `${this.transfers.indexOf(transfer)}.${orders.length}`;
      orders.push({ kind: 'payout', commitment, reference, to, amount: terms.amountOut });
    }
    if (before?.state === 'void') transfer.isCancelled = false;
    else if (kind === 'cancel') transfer.isCancelled = true;
    const order = orders.at(-1) as PaymentOrder;
    this.chain.list(commitment, paymentDigest('destination', order));
    const cancel = { ...order, kind: 'cancel', to: '', amount: '0' } as const;
    const payment = transfer.isCancelled ? cancel : order;
    const earlier = orders.map((each) => ({ side: 'destination' as const, payment: each }));
    const chains = {
      build: async (_: unknown, of: PaymentOrder) => this.chain.build(terms, 'destination', of),
      keysInForce: async ({ keys }: Vault) => keys,
    };
    const cluster = clusterOf(chains as unknown as ChainCalls, this.#five({ isDead: false }));
    const vault = (await this.chain.places(terms)).destination;
    if (vault === null) return;
    try {
      const job = { terms, payment, side: 'destination', coSignature: null, earlier } as const;
      const signed = await cluster.sign(job, vault);
      if (!signed.ok) this.why = signed.reason;
      if (signed.ok) await this.chain.handIn(terms, payment, signed.signatures);
      if (signed.ok && signed.cheaters.length > 0) throw new Wronged(signed.cheaters);
    } catch (error) {
      if (error instanceof Wronged) throw error;
      this.why = String(error);
    }
  }

  async #hasAll(number: number): Promise<boolean> {
    const used = [...this.transfers.map(({ cluster }) => cluster), this.#current];
    const held = (await this.#hosts[number]?.clusters()) ?? [];
    const own = new Set(held.map((cluster) => clusterKeys(cluster).groupKey));
    return used.every((cluster) => own.has(clusterKeys(cluster).groupKey));
  }

  #start(number: number): void {
    this.#hosts[number] = hostSigner({
      organization: ORGANIZATION,
      number,
      memory: this.#disks[number] as PlainMemory,
      eyes: this.chain,
      roster: this.#roster,
      now: () => this.chain.now,
    });
  }

  /** The five as a coordinator reaches them. */
  #five(coordinator: Coordinator): HostedSigner[] {
    return this.#hosts.map((_, number) => {
      const call =
        (name: keyof HostedSigner) =>
        (...args: readonly unknown[]) =>
          this.#ask(coordinator, number, name, args);
      return new Proxy({} as HostedSigner, { get: (__, name) => call(name as keyof HostedSigner) });
    });
  }

  async #ask(
    coordinator: Coordinator,
    number: number,
    name: keyof HostedSigner,
    args: readonly unknown[],
  ): Promise<unknown> {
    await this.#turn();
    if (coordinator.isDead) throw new Error('nobody asks any more');
    if (this.#gone.has(number)) throw new Error('lost');
    const happens = this.#happens();
    if (happens !== 'right') this.kills += 1;
    if (happens === 'away') throw new Error('away');
    if (happens === 'coordinator killed') coordinator.isDead = true;
    if (happens === 'restart') this.#start(number);
    const disk = this.#disks[number] as PlainMemory;
    if (happens.startsWith('power gone')) disk.failAfter(Number(happens.at(-1)));
    try {
      const ask = this.#hosts[number]?.[name] as (...of: readonly unknown[]) => Promise<unknown>;
      const answer = await ask(...structuredClone(args));
      if (happens === 'answer lost' || coordinator.isDead) throw new Error('the answer is lost');
      return answer;
    } finally {
      disk.mend();
      if (happens.startsWith('power gone')) this.#start(number);
    }
  }
}

/** An honest signer was named. */
class Wronged extends Error {
  constructor(cheaters: readonly number[]) {
    super(`honest signers are named: ${cheaters.join()}`);
  }
}
