import { createHash } from 'node:crypto';
import { recoverAddress } from 'viem/utils';
import type { DepositPlace, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { bytesAt, type Fields, fieldsOf, hexAt, numberAt } from './tron-protobuf.ts';

type Json = Record<string, unknown>;

/** A transaction in a block, as TronGrid lists it, and what became of it. */
export interface TronEntry {
  readonly owner: string;
  readonly listed: Json;
  readonly info: { readonly id: string; readonly blockNumber: number; readonly blockTimeStamp: number } & Json;
}

/** `MainnetGenesis`, by which nodes know their network. */
const GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const BLOCK_MS = 3_000;
const SOLID_BLOCKS = 18;
const FIRST_BLOCK = 60_535_633;
const FIRST_TIME = 1_712_248_275_000;
const DAY_MS = 86_400_000n;
const FINALIZED_BLOCKS = 2_400;
/** More than one signature, a memo, bandwidth. */
const PAYMENT_FEES = 2_400_000n;
const NEW_ACCOUNT_FEE = 1_100_000n;
const CALL_FEE = 13_000_000n;
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Base58 by the definition: 21 bytes in hexadecimal. */
export function hexOf(address: string): string {
  const value = [...address].reduce((sum, character) => sum * 58n + BigInt(ALPHABET.indexOf(character)), 0n);
  return value.toString(16).padStart(50, '0').slice(0, 42);
}

export function base58Of(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const whole = Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]);
  let text = '';
  for (let value = BigInt(`0x${whole.toString('hex')}`); value > 0n; value /= 58n)
    text = ALPHABET[Number(value % 58n)] + text;
  return text;
}

export function tronBlockId(number: number, fork = ''): string {
  if (number === 0) return GENESIS;
  const hash = createHash('sha256').update(`block ${number}${fork}`).digest('hex');
  return number.toString(16).padStart(16, '0') + hash.slice(16);
}

const word = (hex: string) => hex.slice(2).padStart(64, '0');

export function permissionOf(addresses: readonly string[], threshold = 3, weight = 1): Json {
  return { permission_name: 'active', threshold, keys: addresses.map((address) => ({ address, weight })) };
}

/**
 * A node of java-tron with TronGrid before it, of TRX or of one token. Transactions are read and their signatures checked by other means than the adapter's; each has a block of its own.
 *
 * @param signers addresses of the five, as the node writes them
 */
export function tronNode(vault: Vault, signers: readonly string[], payer: string) {
  const home = hexOf(vault.contract!);
  const token = vault.token === null ? null : hexOf(vault.token);
  const sun = new Map<string, bigint>();
  const tokens = new Map<string, bigint>();
  const blocks = new Map<number, number>();
  const entries: TronEntry[] = [];
  let height = FIRST_BLOCK;
  let time = FIRST_TIME;
  const options = {
    genesis: GENESIS,
    /** Of the vault's account; a test may have it otherwise. */
    account: { owner_permission: permissionOf(signers), active_permission: [permissionOf(signers)] } as Json,
    /** The first that the vault's account has sent. */
    first: {
      type: 'AccountPermissionUpdateContract',
      parameter: {
        value: { owner_address: home, owner: permissionOf(signers), actives: [permissionOf(signers)] },
        type_url: 'type.googleapis.com/protocol.AccountPermissionUpdateContract',
      },
    } as Json,
    /** What a call of the token does beside what it says. */
    call: 'moves' as 'moves' | 'moves nothing' | 'reverts',
    keepsResults: true,
    /** Transactions of a page: a node may give less than it is asked for. */
    pageSize: 2,
  };

  const add = (map: Map<string, bigint>, address: string, amount: bigint) =>
    map.set(address, (map.get(address) ?? 0n) + amount);
  const solidHeight = () => height - SOLID_BLOCKS;
  const timeOf = (number: number) => blocks.get(number) ?? time - (height - number) * BLOCK_MS;

  function mine(blocksMore = 1): void {
    blocks.set(height, time);
    height += blocksMore;
    time += blocksMore * BLOCK_MS;
    blocks.set(height, time);
  }

  /** Puts a transaction into a block. */
  function include(transaction: {
    readonly owner: string;
    readonly txid?: string;
    readonly contract: Json;
    readonly raw?: Json;
    readonly info?: Json;
  }): TronEntry {
    mine();
    const { owner, contract, raw = {}, info = {} } = transaction;
    const txID =
      transaction.txid ?? createHash('sha256').update(`transaction ${height} ${entries.length}`).digest('hex');
    const raw_data = {
      contract: [contract],
      ref_block_bytes: '0000',
      expiration: time + 60_000,
      timestamp: time,
      ...raw,
    };
    const listed = { ret: [{ contractRet: 'SUCCESS' }], txID, block_timestamp: time, blockNumber: height, raw_data };
    const entry = {
      owner,
      listed,
      info: { id: txID, blockNumber: height, blockTimeStamp: time, receipt: {}, ...info },
    };
    entries.push(entry);
    return entry;
  }

  const transferLog = (from: string, to: string, amount: bigint, of = token!) => ({
    address: of.slice(2),
    topics: [TRANSFER_TOPIC, word(from), word(to)],
    data: amount.toString(16).padStart(64, '0'),
  });

  function opened(raw: Fields) {
    const contract = fieldsOf(bytesAt(raw, 11));
    const any = fieldsOf(bytesAt(contract, 2));
    return {
      type: numberAt(contract, 1),
      url: Buffer.from(bytesAt(any, 1)).toString(),
      value: fieldsOf(bytesAt(any, 2)),
    };
  }

  /** What a payment pays, of either kind. */
  function paid(raw: Fields): { owner: string; to: string; amount: bigint; called: string | null } {
    const { type, url, value } = opened(raw);
    const owner = hexAt(value, 1);
    if (type === 1n && url.endsWith('.TransferContract'))
      return { owner, to: hexAt(value, 2), amount: numberAt(value, 3), called: null };
    const data = hexAt(value, 4);
    if (type !== 31n || !url.endsWith('.TriggerSmartContract') || !/^a9059cbb0{24}/.test(data) || data.length !== 136)
      throw new Error('another contract');
    return { owner, to: `41${data.slice(32, 72)}`, amount: BigInt(`0x${data.slice(72)}`), called: hexAt(value, 2) };
  }

  async function isSigned(txid: string, signatures: readonly Uint8Array[]): Promise<boolean> {
    const { threshold, keys } = options.account.owner_permission as {
      threshold: number;
      keys: { address: string; weight: number }[];
    };
    const by = new Set<string>();
    for (const signature of signatures) {
      if (signature.length !== 65) return false;
      const address = await recoverAddress({
        hash: `0x${txid}`,
        signature: `0x${Buffer.from(signature).toString('hex')}`,
      });
      by.add(`41${address.slice(2).toLowerCase()}`);
    }
    const weight = keys.filter(({ address }) => by.has(address)).reduce((sum, key) => sum + key.weight, 0);
    return by.size === signatures.length && weight >= threshold;
  }

  async function broadcast(hex: string): Promise<string> {
    const whole = fieldsOf(Uint8Array.from(Buffer.from(hex, 'hex')));
    const bytes = bytesAt(whole, 1);
    const raw = fieldsOf(bytes);
    const txid = sha256(bytes).toString('hex');
    const number = [...blocks.keys(), height].find(
      (each) => tronBlockId(each).slice(12, 16) === hexAt(raw, 1) && tronBlockId(each).slice(16, 32) === hexAt(raw, 4),
    );
    if (number === undefined) return 'TAPOS_ERROR';
    const expiration = numberAt(raw, 8);
    if (expiration <= BigInt(time) || expiration > BigInt(time) + DAY_MS) return 'TRANSACTION_EXPIRATION_ERROR';
    if (entries.some(({ info }) => info.id === txid)) return 'DUP_TRANSACTION_ERROR';
    if (!(await isSigned(txid, (whole.get(2) ?? []) as Uint8Array[]))) return 'SIGERROR';
    const { owner, to, amount, called } = paid(raw);
    if (owner !== home || to === home) return 'CONTRACT_VALIDATE_ERROR';
    const fees = PAYMENT_FEES + (called === null && !sun.has(to) ? NEW_ACCOUNT_FEE : 0n);
    const needed = fees + (called === null ? amount : CALL_FEE);
    if ((sun.get(home) ?? 0n) < needed) return 'CONTRACT_VALIDATE_ERROR';
    add(sun, home, -needed);
    const data = hexAt(raw, 10);
    if (called === null) {
      add(sun, to, amount);
      const value = { owner_address: owner, to_address: to, amount: Number(amount) };
      const contract = { type: 'TransferContract', parameter: { value, type_url: 'TransferContract' } };
      include({ owner, txid, contract, raw: { data, expiration: Number(expiration) } });
      return 'SUCCESS';
    }
    const isCovered = called === token && (tokens.get(home) ?? 0n) >= amount && options.call !== 'reverts';
    const isMoved = isCovered && options.call === 'moves' && numberAt(raw, 18) >= CALL_FEE;
    if (isMoved) {
      add(tokens, home, -amount);
      add(tokens, to, amount);
    }
    const value = { owner_address: owner, contract_address: called, data: '' };
    const contract = { type: 'TriggerSmartContract', parameter: { value, type_url: 'TriggerSmartContract' } };
    const info = isCovered
      ? { receipt: { result: 'SUCCESS' }, ...(isMoved ? { log: [transferLog(home, to, amount)] } : {}) }
      : { receipt: { result: 'REVERT' }, result: 'FAILED' };
    include({ owner, txid, contract, raw: { data, expiration: Number(expiration) }, info });
    return 'SUCCESS';
  }

  function blockAt(number: number): Json {
    if (number > solidHeight()) return {};
    const id = number === 0 ? options.genesis : tronBlockId(number);
    blocks.set(number, timeOf(number));
    return { blockID: id, block_header: { raw_data: { number, timestamp: number === 0 ? 0 : timeOf(number) } } };
  }

  async function post(path: string, body: unknown): Promise<unknown> {
    const asked = body as Record<string, string>;
    const entry = entries.find(({ info }) => info.id === asked.value);
    switch (path) {
      case '/walletsolidity/getblock':
        return blockAt(asked.id_or_num === undefined ? solidHeight() : Number(asked.id_or_num));
      case '/wallet/getaccount':
        return { address: asked.address, type: 'Normal' };
      case '/walletsolidity/getaccount': {
        if (asked.address !== home) return {};
        const balance = sun.get(home) ?? 0n;
        return { address: home, ...(balance === 0n ? {} : { balance: Number(balance) }), ...options.account };
      }
      case '/wallet/triggerconstantcontract': {
        const held = tokens.get(`41${asked.parameter!.slice(24)}`) ?? 0n;
        return { result: { result: true }, constant_result: [held.toString(16).padStart(64, '0')] };
      }
      case '/walletsolidity/gettransactioninfobyid':
        return entry !== undefined && options.keepsResults && entry.info.blockNumber <= solidHeight() ? entry.info : {};
      case '/wallet/gettransactioninfobyid':
        return entry !== undefined && options.keepsResults ? entry.info : {};
      case '/wallet/gettransactionbyid':
        return entry?.listed ?? {};
      case '/wallet/broadcasthex': {
        const code = await broadcast(asked.transaction!);
        return { result: code === 'SUCCESS', code, message: '', transaction: '{}', txid: '' };
      }
      default:
        throw new Error(`no such path: ${path}`);
    }
  }

  async function get(path: string): Promise<unknown> {
    const url = new URL(path, 'http://node');
    const [, account] = /^\/v1\/accounts\/(41[0-9a-f]{40})\/transactions$/.exec(url.pathname) ?? [];
    const query = url.searchParams;
    if (account === undefined || query.get('only_from') !== 'true') throw new Error(`no such path: ${path}`);
    const first = {
      owner: home,
      listed: { txID: '00'.repeat(32), block_timestamp: 1, raw_data: { expiration: 1, contract: [options.first] } },
    };
    const [from, to] = [
      Number(query.get('min_timestamp') ?? 0),
      Number(query.get('max_timestamp') ?? Number.MAX_SAFE_INTEGER),
    ];
    const own = [first, ...entries]
      .filter(({ owner }) => owner === account)
      .map(({ listed }) => listed as Json & { block_timestamp: number })
      .filter(({ block_timestamp: at }) => at >= from && at <= to);
    const ordered = query.get('order_by') === 'block_timestamp,desc' ? own.reverse() : own;
    const start = Number(query.get('fingerprint') ?? 0);
    const size = Math.min(options.pageSize, Number(query.get('limit')));
    const meta = start + size < ordered.length ? { fingerprint: String(start + size) } : {};
    return { success: true, data: ordered.slice(start, start + size), meta: { at: time, page_size: size, ...meta } };
  }

  /** What the payer's wallet makes of a place. */
  function deposit(place: DepositPlace, amount: bigint, memo: string | null = place.memo): void {
    const to = hexOf(place.address);
    const raw = memo === null ? {} : { data: Buffer.from(memo).toString('hex') };
    if (token === null) {
      add(sun, to, amount);
      const value = { owner_address: payer, to_address: to, amount: Number(amount) };
      include({ owner: payer, contract: { type: 'TransferContract', parameter: { value } }, raw });
      return;
    }
    add(tokens, to, amount);
    const value = { owner_address: payer, contract_address: token, data: 'a9059cbb' };
    const info = { receipt: { result: 'SUCCESS' }, log: [transferLog(payer, to, amount)] };
    include({ owner: payer, contract: { type: 'TriggerSmartContract', parameter: { value } }, raw, info });
  }

  const node: SimulatedNode = {
    transport: { get, post, rpc: get as never },
    fund(address, amount) {
      add(sun, hexOf(address), (token === null ? amount : 100_000_000n) + 5_000_000n);
      if (token !== null) add(tokens, hexOf(address), amount);
    },
    balance: (address) => (token === null ? sun : tokens).get(hexOf(address)) ?? 0n,
    coins: (address) => sun.get(hexOf(address)) ?? 0n,
    deposit,
    finalize: () => mine(FINALIZED_BLOCKS),
    reorganize: () => {
      entries.pop();
    },
    decode(raw) {
      const { to, amount } = paid(fieldsOf(bytesAt(fieldsOf(Uint8Array.from(Buffer.from(raw, 'hex'))), 1)));
      return { to: base58Of(to), amount };
    },
  };
  return { ...node, home, entries, options, include, mine, transferLog };
}
