import {
  extractBaseAddress,
  FeeBumpTransaction,
  Networks,
  StrKey,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-base';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';
import { PAYERS } from './payers.ts';

type Row = Record<string, unknown> & { paging_token: string };

const decimal = (stroops: bigint) => `${stroops / 10_000_000n}.${String(stroops % 10_000_000n).padStart(7, '0')}`;
const stroops = (text: string) => BigInt(text.replace('.', ''));

/** Horizon. Lumens, or lumens and one asset. */
export function stellarNode(asset: { code: string; issuer: string } | null): SimulatedNode {
  let payer: string = PAYERS.stellar.payer;
  const lumens = new Map<string, bigint>();
  const held = new Map<string, bigint>();
  const sequences = new Map<string, bigint>();
  let payments: Row[] = [];
  const transactions: Row[] = [];
  let ledger = 50n;

  function open(raw: string): Transaction {
    const transaction = TransactionBuilder.fromXDR(raw, Networks.PUBLIC);
    if (transaction instanceof FeeBumpTransaction) throw new Error('a fee bump');
    return transaction;
  }

  function submit(raw: string): unknown {
    const transaction = open(raw);
    const { source, sequence, fee } = transaction;
    const key = StrKey.decodeEd25519PublicKey(source);
    const [signed] = transaction.signatures;
    const hash = transaction.hash();
    if (!isSignedBy(key, hash, signed!.signature())) throw new RpcRefusal(400, 'tx_bad_auth');
    if (!signed!.hint().equals(Buffer.from(key).subarray(28))) throw new RpcRefusal(400, 'tx_bad_auth');
    if (BigInt(sequence) !== (sequences.get(source) ?? 0n) + 1n) {
      if (transactions.some((row) => row.hash === hash.toString('hex')))
        return { hash: hash.toString('hex'), successful: true };
      throw new RpcRefusal(400, '{"extras":{"result_codes":{"transaction":"tx_bad_seq"}}}');
    }
    sequences.set(source, BigInt(sequence));
    lumens.set(source, lumens.get(source)! - BigInt(fee));
    ledger += 1n;
    const [operation] = transaction.operations;
    let successful = true;
    if (operation!.type === 'payment' || operation!.type === 'createAccount') {
      const to = extractBaseAddress(operation!.destination);
      const isNative = operation!.type === 'createAccount' || operation!.asset.isNative();
      const amount = stroops(operation!.type === 'createAccount' ? operation!.startingBalance : operation!.amount);
      const map = isNative ? lumens : held;
      const isThere = lumens.has(to);
      successful = (map.get(source) ?? 0n) >= amount && isThere === (operation!.type === 'payment');
      if (successful) {
        map.set(source, map.get(source)! - amount);
        map.set(to, (map.get(to) ?? 0n) + amount);
      }
    }
    transactions.push({
      paging_token: String(ledger * 2n ** 32n + 4096n),
      hash: hash.toString('hex'),
      source_account: source,
      source_account_sequence: sequence,
      successful,
      signatures: transaction.signatures.map((one) => one.signature().toString('base64')),
    });
    if (!successful) throw new RpcRefusal(400, '{"extras":{"result_codes":{"transaction":"tx_failed"}}}');
    return { hash: hash.toString('hex'), successful };
  }

  async function get(text: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(text, 'http://horizon');
    if (pathname === '/fee_stats')
      return { last_ledger: String(ledger), last_ledger_base_fee: '100', fee_charged: { p50: '100', p90: '250' } };
    const [, account, list] = /^\/accounts\/([A-Z0-9]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (account === undefined) throw new RpcRefusal(404, 'Resource Missing');
    if (list === undefined) {
      const balance = lumens.get(account);
      if (balance === undefined) throw new RpcRefusal(404, 'Resource Missing');
      const line = {
        balance: decimal(held.get(account) ?? 0n),
        asset_type: 'credit_alphanum4',
        asset_code: asset?.code,
        asset_issuer: asset?.issuer,
      };
      return {
        id: account,
        sequence: String(sequences.get(account) ?? 0n),
        subentry_count: 0,
        last_modified_ledger: Number(ledger),
        num_sponsoring: 0,
        num_sponsored: 0,
        signers: [{ key: account, weight: 1, type: 'ed25519_public_key' }],
        thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
        balances: [
          ...(held.has(account) ? [line] : []),
          { balance: decimal(balance), asset_type: 'native', selling_liabilities: '0.0000000' },
        ],
      };
    }
    const rows = list === 'payments' ? payments : transactions;
    const ordered = searchParams.get('order') === 'desc' ? [...rows].reverse() : rows;
    const cursor = searchParams.get('cursor');
    const after =
      cursor === null
        ? ordered
        : ordered.filter(({ paging_token }) =>
            searchParams.get('order') === 'desc'
              ? BigInt(paging_token) < BigInt(cursor)
              : BigInt(paging_token) > BigInt(cursor),
          );
    return { _embedded: { records: after.slice(0, 2) } };
  }

  function deposit(place: DepositPlace, amount: bigint, memo: string | null = place.memo): void {
    ledger += 1n;
    const kind = memo !== null && /^[0-9a-f]{64}$/.test(memo) ? 'hash' : memo === null ? 'none' : 'text';
    const text =
      kind === 'hash' ? { memo: Buffer.from(memo!, 'hex').toString('base64') } : kind === 'text' ? { memo } : {};
    payments.push({
      paging_token: String(ledger * 2n ** 32n + 4097n),
      type: 'payment',
      transaction_successful: true,
      transaction_hash: ledger.toString(16).padStart(64, '0'),
      from: payer,
      to: place.address,
      amount: decimal(amount),
      ...(asset === null
        ? { asset_type: 'native' }
        : { asset_type: 'credit_alphanum4', asset_code: asset.code, asset_issuer: asset.issuer }),
      transaction: { memo_type: kind, ...text },
    });
    const map = asset === null ? lumens : held;
    map.set(place.address, (map.get(place.address) ?? 0n) + amount);
  }

  return {
    transport: {
      rpc: get as never,
      get,
      post: async (path, body) => {
        const tx = path === '/transactions' && body instanceof URLSearchParams ? body.get('tx') : null;
        if (tx === null) throw new RpcRefusal(404, 'Resource Missing');
        return submit(tx);
      },
    },
    fund(address, amount) {
      lumens.set(address, asset === null ? amount + 10_000_000n : 100_000_000n);
      if (asset !== null) held.set(address, amount);
    },
    balance: (address) => (asset === null ? lumens : held).get(extractBaseAddress(address)) ?? 0n,
    coins: (address) => lumens.get(extractBaseAddress(address)) ?? 0n,
    deposit,
    payBy: (account) => {
      payer = account;
    },
    finalize: () => undefined,
    reorganize: () => {
      payments = payments.slice(0, -1);
    },
    decode(raw) {
      const { operations } = open(raw);
      const [operation, ...more] = operations;
      if (more.length > 0) throw new Error('more than one operation');
      if (operation!.type === 'createAccount')
        return { to: operation!.destination, amount: stroops(operation!.startingBalance) };
      if (operation!.type !== 'payment' || operation!.asset.isNative() !== (asset === null))
        throw new Error('another operation');
      return { to: operation!.destination, amount: stroops(operation!.amount) };
    },
  };
}
