import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isApproved } from '../../../domain/bridge/chains/custody/custody-approval.ts';

/** How a workspace is set up at the provider. */
export interface WorkspaceTerms {
  readonly apiKey: string;
  /** PEM of the API user's key. */
  readonly publicKey: string;
  /** The name by which approvals know the provider, and who approves: what its co-signer's callback is told. */
  readonly provider: string;
  readonly signerKeys: readonly string[];
  readonly account: string;
  readonly asset: string;
  readonly decimals: number;
  /** Address number of the account, from 0, with a tag where the asset has tags. */
  readonly addressAt: (index: number) => { readonly address: string; readonly tag: string };
  /** Confirmations after which a transaction is completed; they are counted no further. */
  readonly confirmations: number;
  readonly block_ms: number;
  readonly now: () => number;
}

const Request = z.object({
  operation: z.literal('TRANSFER'),
  assetId: z.string(),
  source: z.object({ type: z.literal('VAULT_ACCOUNT'), id: z.string() }),
  destination: z.discriminatedUnion('type', [
    z.object({ type: z.literal('VAULT_ACCOUNT'), id: z.string() }),
    z.object({
      type: z.literal('ONE_TIME_ADDRESS'),
      oneTimeAddress: z.object({ address: z.string(), tag: z.string().exactOptional() }),
    }),
  ]),
  amount: z.string().regex(/^\d{1,30}(\.\d{1,30})?$/),
  treatAsGrossAmount: z.literal(false),
  externalTxId: z.string().min(1).max(255),
  note: z.string(),
});

/** What a test has happen to transactions that are handed in from here on. */
export type Fate = 'through' | 'stalled' | 'rejected' | 'failed' | 'failed_after_broadcast';

interface Transaction {
  readonly id: string;
  readonly externalTxId: string | null;
  status: string;
  subStatus: string;
  txHash: string | null;
  readonly direction: 'in' | 'out';
  readonly source: { readonly type: string; readonly id?: string };
  readonly sourceAddress: string;
  readonly destination: { readonly type: string; readonly id?: string };
  readonly destinationAddress: string;
  readonly destinationTag: string;
  readonly units: bigint;
  readonly createdAt: number;
  /** When the next block may have it. */
  dueAt: number;
  /** When it was in a block; null before. */
  minedAt: number | null;
}

const ENDS: Readonly<Record<Fate | 'blocked', readonly [status: string, subStatus: string]>> = {
  through: ['PENDING_SIGNATURE', ''],
  stalled: ['PENDING_AUTHORIZATION', ''],
  blocked: ['BLOCKED', 'BLOCKED_BY_POLICY'],
  rejected: ['REJECTED', 'REJECTED_BY_USER'],
  failed: ['FAILED', 'INSUFFICIENT_FUNDS'],
  failed_after_broadcast: ['FAILED', 'DROPPED_BY_BLOCKCHAIN'],
};

/** What a request comes to: a status and a body. */
export type Answer = readonly [status: number, body: unknown];

/** One workspace at the provider, with one vault account of one asset, and the chain beneath it as far as it concerns the account. */
export class CustodyWorkspace {
  readonly terms: WorkspaceTerms;
  readonly #addresses: { readonly address: string; readonly tag: string; readonly customerRefId: string }[] = [];
  readonly transactions: Transaction[] = [];
  readonly nonces = new Set<string>();
  readonly #outside = new Map<string, bigint>();
  #funds = 0n;
  /** What becomes of the next transaction, in turn; then all go through. */
  readonly fates: Fate[] = [];
  /** Added to the clock. */
  #passed_ms = 0;

  constructor(terms: WorkspaceTerms) {
    this.terms = terms;
    this.#newAddress('');
  }

  /** Lets so many blocks pass. */
  mine(blocks: number): void {
    this.#passed_ms += blocks * this.terms.block_ms;
    this.#settle();
  }

  /** Gives the vault so much. */
  fund(units: bigint): void {
    this.#funds += units;
  }

  /** What an address elsewhere was paid. */
  paidTo(address: string): bigint {
    this.#settle();
    return this.#outside.get(address) ?? 0n;
  }

  /** Of the vault, what lies there whether it is free or not. */
  get total(): bigint {
    this.#settle();
    return this.#funds;
  }

  /** A payment to one of the account's addresses, which waits for a block. */
  deposit(to: { readonly address: string; readonly tag: string | null }, units: bigint, from = ''): string {
    const { account } = this.terms;
    const transaction: Transaction = {
      id: randomUUID(),
      externalTxId: null,
      status: 'CONFIRMING',
      subStatus: 'PENDING_BLOCKCHAIN_CONFIRMATIONS',
      txHash: hash(),
      direction: 'in',
      source: { type: 'UNKNOWN' },
      sourceAddress: from,
      destination: { type: 'VAULT_ACCOUNT', id: account },
      destinationAddress: to.address,
      destinationTag: to.tag ?? '',
      units,
      createdAt: this.#createdAt(),
      dueAt: this.#now(),
      minedAt: this.#now(),
    };
    this.transactions.push(transaction);
    return transaction.id;
  }

  /** Takes the newest transaction out of its block, for good. */
  drop(): void {
    const last = this.transactions.at(-1);
    if (last === undefined) return;
    if (last.status === 'COMPLETED' && last.direction === 'in') this.#funds -= last.units;
    last.status = 'FAILED';
    last.subStatus = 'DROPPED_BY_BLOCKCHAIN';
    last.minedAt = null;
  }

  /** One that the provider gave up after it had signed reaches the chain all the same. */
  land(id: string): void {
    const transaction = this.transactions.find((one) => one.id === id);
    if (transaction?.txHash == null) throw new Error('nothing was signed');
    this.#mined(transaction, this.#now());
  }

  /** Stalled ones go on. */
  release(): void {
    for (const transaction of this.transactions) {
      if (transaction.status !== 'PENDING_AUTHORIZATION') continue;
      transaction.status = 'PENDING_SIGNATURE';
      transaction.dueAt = this.#now() + this.terms.block_ms;
    }
  }

  answer(method: string, url: URL, body: string): Answer {
    this.#settle();
    const { account, asset } = this.terms;
    const wallet = `/v1/vault/accounts/${account}/${asset}`;
    const path = url.pathname;
    if (method === 'GET' && path === wallet) return [200, this.#balance()];
    if (method === 'POST' && path === `${wallet}/addresses`) return this.#createAddress(body);
    if (method === 'GET' && path === `${wallet}/addresses_paginated`) return this.#listAddresses(url.searchParams);
    if (method === 'GET' && path === '/v1/transactions') return [200, this.#list(url.searchParams)];
    if (method === 'POST' && path === '/v1/transactions') return this.#create(body);
    const external = /^\/v1\/transactions\/external_tx_id\/(.+)$/.exec(path)?.[1];
    if (method === 'GET' && external !== undefined) {
      const found = this.transactions.find(({ externalTxId }) => externalTxId === decodeURIComponent(external));
      return found === undefined ? refusal(404, 'no such transaction') : [200, this.#view(found)];
    }
    const cancelled = /^\/v1\/transactions\/([^/]+)\/cancel$/.exec(path)?.[1];
    if (method === 'POST' && cancelled !== undefined) return this.#cancel(cancelled);
    return refusal(404, 'no such path');
  }

  /** No two at one moment, as lists go by it. */
  #createdAt(): number {
    return Math.max(this.#now(), (this.transactions.at(-1)?.createdAt ?? 0) + 1);
  }

  #now(): number {
    return this.terms.now() + this.#passed_ms;
  }

  #balance() {
    const locked = this.transactions
      .filter(({ direction, minedAt, status }) => direction === 'out' && minedAt === null && !isOver(status))
      .reduce((sum, { units }) => sum + units, 0n);
    const available = this.#decimal(this.#funds - locked);
    return { id: this.terms.asset, total: this.#decimal(this.#funds), available, lockedAmount: this.#decimal(locked) };
  }

  #newAddress(customerRefId: string) {
    const made = { ...this.terms.addressAt(this.#addresses.length), customerRefId };
    this.#addresses.push(made);
    return made;
  }

  #createAddress(body: string): Answer {
    const { customerRefId = '' } = JSON.parse(body) as { customerRefId?: string };
    return [200, this.#newAddress(customerRefId)];
  }

  #listAddresses(query: URLSearchParams): Answer {
    const from = Number(query.get('after') ?? 0);
    const to = from + Number(query.get('limit') ?? 100);
    const addresses = this.#addresses.slice(from, to);
    return [200, { addresses, paging: to < this.#addresses.length ? { after: String(to) } : {} }];
  }

  #list(query: URLSearchParams): unknown[] {
    const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
    return this.transactions
      .filter(({ destination }) => destination.type === query.get('destType') && destination.id === query.get('destId'))
      .filter(({ createdAt }) => createdAt < before)
      .toReversed()
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .slice(0, Number(query.get('limit') ?? 200))
      .map((transaction) => this.#view(transaction));
  }

  #create(body: string): Answer {
    const parsed = Request.safeParse(JSON.parse(body));
    if (!parsed.success) return refusal(400, 'another form of request');
    const { terms } = this;
    const request = parsed.data;
    const { source, destination, externalTxId, assetId } = request;
    if (source.id !== terms.account || assetId !== terms.asset) return refusal(400, 'no such account');
    if (this.transactions.some((one) => one.externalTxId === externalTxId))
      return refusal(400, 'the external transaction id was used before');
    const transaction: Transaction = {
      id: randomUUID(),
      externalTxId,
      status: 'PENDING_SIGNATURE',
      subStatus: '',
      txHash: null,
      direction: 'out',
      source,
      sourceAddress: '',
      destination: destination.type === 'VAULT_ACCOUNT' ? destination : { type: 'ONE_TIME_ADDRESS' },
      destinationAddress: destination.type === 'VAULT_ACCOUNT' ? '' : destination.oneTimeAddress.address,
      destinationTag: destination.type === 'VAULT_ACCOUNT' ? '' : (destination.oneTimeAddress.tag ?? ''),
      units: this.#units(request.amount),
      createdAt: this.#createdAt(),
      dueAt: this.#now() + this.terms.block_ms,
      minedAt: null,
    };
    this.#decide(transaction, isApproved(terms.provider, terms.signerKeys, request));
    this.transactions.push(transaction);
    return [200, { id: transaction.id, status: transaction.status }];
  }

  /** What policy, funds and the test make of it. */
  #decide(transaction: Transaction, isRight: boolean): void {
    const fate = isRight ? (this.fates.shift() ?? 'through') : 'blocked';
    const isShort = this.#units(this.#balance().available) < transaction.units;
    const [status, subStatus] = fate === 'through' && isShort ? ENDS.failed : ENDS[fate];
    Object.assign(transaction, { status, subStatus, txHash: fate === 'failed_after_broadcast' ? hash() : null });
  }

  #cancel(id: string): Answer {
    const found = this.transactions.find((one) => one.id === id);
    if (found === undefined) return refusal(404, 'no such transaction');
    if (found.txHash !== null || isOver(found.status)) return refusal(400, 'it is too late to cancel it');
    found.status = 'CANCELLED';
    found.subStatus = 'CANCELLED_BY_USER_REQUEST';
    return [200, { success: true }];
  }

  /** Signs what is old enough, and counts blocks. */
  #settle(): void {
    const { confirmations } = this.terms;
    for (const transaction of this.transactions) {
      if (transaction.status === 'PENDING_SIGNATURE' && this.#now() >= transaction.dueAt) {
        transaction.txHash = hash();
        this.#mined(transaction, transaction.dueAt);
      }
      if (transaction.status !== 'CONFIRMING' || this.#depth(transaction) < confirmations) continue;
      transaction.status = 'COMPLETED';
      transaction.subStatus = 'CONFIRMED';
      if (transaction.direction === 'in') this.#funds += transaction.units;
    }
  }

  #mined(transaction: Transaction, at: number): void {
    transaction.status = 'CONFIRMING';
    transaction.subStatus = 'PENDING_BLOCKCHAIN_CONFIRMATIONS';
    transaction.minedAt = at;
    if (transaction.destination.type === 'VAULT_ACCOUNT') return;
    this.#funds -= transaction.units;
    const { destinationAddress: to } = transaction;
    this.#outside.set(to, (this.#outside.get(to) ?? 0n) + transaction.units);
  }

  #depth({ minedAt }: Transaction): number {
    if (minedAt === null) return 0;
    return Math.min(this.terms.confirmations, Math.floor((this.#now() - minedAt) / this.terms.block_ms));
  }

  #view(transaction: Transaction) {
    const { direction: _, units, minedAt: __, dueAt: ___, txHash, externalTxId, ...shown } = transaction;
    const amount = this.#decimal(units);
    return {
      ...shown,
      operation: 'TRANSFER',
      assetId: this.terms.asset,
      ...(externalTxId !== null && { externalTxId }),
      ...(txHash !== null && { txHash }),
      amountInfo: { amount, requestedAmount: amount, netAmount: amount },
      numOfConfirmations: this.#depth(transaction),
    };
  }

  /** As providers write amounts, zeros at the end too. */
  #decimal(units: bigint): string {
    const { decimals } = this.terms;
    const digits = String(units).padStart(decimals + 1, '0');
    return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  }

  #units(text: string): bigint {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(this.terms.decimals, '0').slice(0, this.terms.decimals));
  }
}

function isOver(status: string): boolean {
  return ['COMPLETED', 'CANCELLED', 'REJECTED', 'BLOCKED', 'FAILED'].includes(status);
}

function refusal(status: number, message: string): Answer {
  return [status, { message, code: status }];
}

function hash(): string {
  return `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, 64);
}
