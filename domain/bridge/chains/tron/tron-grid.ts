import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { HEX_32 } from '../accounts/reference-record.ts';
import type { ChainTransport } from '../chain-adapter.ts';
import { TRON_HEX } from './tron-address.ts';
import { addressWord } from './tron-transaction.ts';

/** Transactions of one answer; the most that TronGrid gives. */
const PAGE_TRANSACTIONS = 200;
/** Pages of one account's transactions that are read. */
const PAGES_MAX = 50;

const Hash = z.string().regex(new RegExp(`^${HEX_32.source}$`));
const Address = z.string().regex(TRON_HEX);
const Time = z.int().nonnegative();
const Bytes = z.string().regex(/^([0-9a-f]{2})*$/);

const Block = z.object({
  blockID: Hash,
  block_header: z.object({ raw_data: z.object({ timestamp: Time.default(0), number: Time.default(0) }) }),
});
const Permission = z.object({
  threshold: z.int(),
  keys: z.array(z.object({ address: Address, weight: z.int() })).max(100),
});
export type Permission = z.infer<typeof Permission>;
/** What is of the default is left out, and so is all of an account that does not exist. */
const Account = z.object({
  address: Address.optional(),
  balance: z.int().nonnegative().default(0),
  owner_permission: Permission.optional(),
  witness_permission: z.unknown().optional(),
  active_permission: z.array(Permission).max(100).default([]),
});
export type Account = z.infer<typeof Account>;
const Contract = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('TransferContract'),
    parameter: z.object({
      value: z.object({ owner_address: Address, to_address: Address, amount: z.int().positive() }),
    }),
  }),
  z.object({
    type: z.literal('TriggerSmartContract'),
    parameter: z.object({ value: z.object({ owner_address: Address, contract_address: Address }) }),
  }),
  z.object({
    type: z.literal('AccountPermissionUpdateContract'),
    parameter: z.object({
      value: z.object({ owner_address: Address, owner: Permission, actives: z.array(Permission).max(100) }),
    }),
  }),
]);
/** Of a transaction in another form, nothing is believed; it must not hide the others. */
const Listed = z.object({
  txID: Hash,
  raw_data: z.object({ data: Bytes.default(''), expiration: Time, contract: z.array(Contract).length(1) }),
});
const Page = z.object({
  success: z.literal(true),
  data: z.array(z.unknown()).max(PAGE_TRANSACTIONS),
  meta: z.object({ fingerprint: z.string().min(1).max(1_000).optional() }),
});
const Log = z.object({
  address: z.string().regex(/^[0-9a-f]{40}$/),
  topics: z.array(Hash).max(4).default([]),
  data: Bytes.default(''),
});
const Info = z.object({
  id: Hash.optional(),
  blockNumber: Time.optional(),
  blockTimeStamp: Time.default(0),
  /** Stands there where it is FAILED. */
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).default({}),
  log: z.array(Log).max(10_000).default([]),
});
/** Of an account with a key nothing stands there. */
const Typed = z.object({ type: z.string().optional() });
const Known = z.object({ txID: Hash.optional() });
const Constant = z.object({ result: z.object({ result: z.literal(true) }), constant_result: z.tuple([Hash]) });
/** Of a call that the contract has ended by itself, there is a result as well. */
const Called = z.object({ result: z.looseObject({ result: z.literal(true) }), constant_result: z.array(z.string()) });
const Sent = z.object({
  result: z.boolean().default(false),
  code: z.string().default(''),
  message: z.string().default(''),
});

export interface TronBlock {
  readonly id: string;
  /** Unix ms. */
  readonly time: number;
}

/** A transaction that its account has sent. */
export interface TronTransaction {
  readonly txid: string;
  readonly memo: string;
  readonly expiration: number;
  readonly contract: z.infer<typeof Contract>;
}

/** What became of a transaction that is in a block. */
export interface TronOutcome {
  /** Its block is solidified: no reorganization takes it away. */
  readonly isSolid: boolean;
  /** Unix ms, of its block. */
  readonly time: number;
  readonly hasFailed: boolean;
  readonly transfers: readonly TokenTransfer[];
}

/** What a token says that it moved. Addresses are as nodes write them. */
export interface TokenTransfer {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** HTTP interface of java-tron and of TronGrid, each answer held to its form. */
export function tronGrid({ get, post }: ChainTransport) {
  async function ask<Schema extends z.ZodType>(schema: Schema, path: string, body: object) {
    return answerOf(schema, await post(path, body), path);
  }

  async function outcomeAt(path: string, txid: string) {
    const { id, blockNumber, ...info } = await ask(Info, path, { value: txid });
    if (id === undefined || blockNumber === undefined) return null;
    if (id !== txid) throw new Error('what became of another transaction');
    const { result: called } = info.receipt;
    const hasFailed = info.result === 'FAILED' || (called !== undefined && called !== 'SUCCESS');
    return { time: info.blockTimeStamp, hasFailed, transfers: info.log.flatMap(transfersIn) };
  }

  return {
    /** The newest that is solidified, or the one of a number. */
    async solidBlock(number?: bigint): Promise<TronBlock> {
      const which = number === undefined ? {} : { id_or_num: String(number) };
      const { blockID: id, block_header: header } = await ask(Block, '/walletsolidity/getblock', {
        ...which,
        detail: false,
      });
      return { id, time: header.raw_data.timestamp };
    },

    /** Null where it does not exist. */
    async account(address: string): Promise<Account | null> {
      const account = await ask(Account, '/walletsolidity/getaccount', { address });
      if (account.address === undefined) return null;
      if (account.address !== address) throw new Error('an account of another address');
      return account;
    },

    /** Whether a contract answers what every token does. @throws Error where the node does not know now */
    async isToken(contract: string): Promise<boolean> {
      for (const function_selector of ['totalSupply()', 'decimals()']) {
        const body = { owner_address: contract, contract_address: contract, function_selector, parameter: '' };
        const answer = await ask(Called, '/wallet/triggerconstantcontract', body);
        if (!Constant.safeParse(answer).success) return false;
      }
      return true;
    },

    /** Null where nothing says any. */
    async tokenDecimals(token: string): Promise<number | null> {
      const path = '/wallet/triggerconstantcontract';
      const body = { owner_address: token, contract_address: token, function_selector: 'decimals()', parameter: '' };
      const answer = Constant.safeParse(await post(path, body));
      if (!answer.success) return null;
      const decimals = BigInt(`0x${answer.data.constant_result[0]}`);
      return decimals > 255n ? null : Number(decimals);
    },

    async tokenBalance(token: string, address: string): Promise<bigint> {
      const {
        constant_result: [balance],
      } = await ask(Constant, '/wallet/triggerconstantcontract', {
        owner_address: address,
        contract_address: token,
        function_selector: 'balanceOf(address)',
        parameter: addressWord(address),
      });
      return BigInt(`0x${balance}`);
    },

    /** The first that an account has ever sent; null where it cannot be read, or there is none. */
    async firstSent(address: string): Promise<TronTransaction | null> {
      const path = sentBy(address, { order_by: 'block_timestamp,asc', limit: '1' });
      const { data } = answerOf(Page, await get(path), 'transactions');
      return transactionOf(data[0]);
    },

    /**
     * What an account has sent itself with a memo, newest first.
     *
     * @param between times of blocks, Unix ms
     * @throws Error where none is among those that are read, and there are more
     */
    async sentWith(
      memo: string,
      address: string,
      between?: { readonly from: bigint; readonly to: bigint },
    ): Promise<TronTransaction[]> {
      const range =
        between === undefined ? {} : { min_timestamp: String(between.from), max_timestamp: String(between.to) };
      const found: TronTransaction[] = [];
      let next = {};
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = { order_by: 'block_timestamp,desc', limit: String(PAGE_TRANSACTIONS), ...range, ...next };
        const { data, meta } = answerOf(Page, await get(sentBy(address, query)), 'transactions');
        for (const transaction of data.map(transactionOf)) if (transaction?.memo === memo) found.push(transaction);
        if (meta.fingerprint === undefined || data.length === 0) return found;
        next = { fingerprint: meta.fingerprint };
      }
      if (found.length === 0) throw new Error('an account has sent more transactions than are read');
      return found;
    },

    async isContract(address: string): Promise<boolean> {
      return (await ask(Typed, '/wallet/getaccount', { address })).type === 'Contract';
    },

    /** Null while it is in no block that the node knows. */
    async outcome(txid: string): Promise<TronOutcome | null> {
      const solid = await outcomeAt('/walletsolidity/gettransactioninfobyid', txid);
      if (solid !== null) return { ...solid, isSolid: true };
      const fresh = await outcomeAt('/wallet/gettransactioninfobyid', txid);
      return fresh === null ? null : { ...fresh, isSolid: false };
    },

    /** Whether the node has a transaction, also one whose result it does not keep. */
    async isKnown(txid: string): Promise<boolean> {
      return (await ask(Known, '/wallet/gettransactionbyid', { value: txid })).txID !== undefined;
    },

    /** Null where it is taken, or was before; else why it is not. */
    async send(raw: string): Promise<string | null> {
      const { result, code, message } = await ask(Sent, '/wallet/broadcasthex', { transaction: raw });
      return result || code === 'DUP_TRANSACTION_ERROR' ? null : `${code} ${message}`;
    },
  };
}

function sentBy(address: string, query: Readonly<Record<string, string>>): string {
  const own = new URLSearchParams({ only_from: 'true', search_internal: 'false', ...query });
  return `/v1/accounts/${address}/transactions?${own}`;
}

function transactionOf(listed: unknown): TronTransaction | null {
  const { data } = Listed.safeParse(listed);
  const contract = data?.raw_data.contract[0];
  if (data === undefined || contract === undefined) return null;
  const memo = Buffer.from(data.raw_data.data, 'hex').toString('utf8');
  return { txid: data.txID, memo, expiration: data.raw_data.expiration, contract };
}

/** Keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ADDRESS_WORD = /^0{24}[0-9a-f]{40}$/;

function transfersIn({ address, topics, data }: z.infer<typeof Log>): TokenTransfer[] {
  const [topic, from = '', to = ''] = topics;
  if (topic !== TRANSFER_TOPIC || topics.length !== 3 || data.length !== 64) return [];
  if (!ADDRESS_WORD.test(from) || !ADDRESS_WORD.test(to)) return [];
  return [{ token: `41${address}`, from: `41${from.slice(24)}`, to: `41${to.slice(24)}`, amount: BigInt(`0x${data}`) }];
}
