import { createHash } from 'node:crypto';
import { Address, decodeSignedTransaction } from 'algosdk';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';
import { PAYERS } from './payers.ts';

const MAINNET = 'wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=';
const MIN_BALANCE = 100_000n;

type Row = Record<string, unknown> & {
  id: string;
  sender: string;
  'confirmed-round': number;
  'last-valid': number;
  lease?: string;
  note?: string;
};

/** algod and the indexer. Algos, or algos and one asset. */
export function algorandNode(asset: bigint | null): SimulatedNode & { pass(rounds: number): void } {
  let payer: string = PAYERS.algorand.payer;
  const algos = new Map<string, bigint>();
  const held = new Map<string, bigint>();
  let rows: (Row & { receiver: string })[] = [];
  let round = 5_000;

  const body = (amount: bigint, receiver: string) =>
    asset === null
      ? { 'tx-type': 'pay', 'payment-transaction': { amount: Number(amount), receiver } }
      : {
          'tx-type': 'axfer',
          'asset-transfer-transaction': {
            amount: Number(amount),
            receiver,
            'asset-id': Number(asset),
            'close-amount': 0,
          },
        };

  function submit(bytes: Uint8Array): unknown {
    const { txn, sig } = decodeSignedTransaction(bytes);
    if (Buffer.from(txn.genesisHash!).toString('base64') !== MAINNET)
      throw new RpcRefusal(400, 'genesis hash mismatch');
    const id = txn.txID();
    if (rows.some((row) => row.id === id))
      throw new RpcRefusal(400, `TransactionPool.Remember: transaction already in ledger: ${id}`);
    if (!isSignedBy(txn.sender.publicKey, txn.bytesToSign(), sig!))
      throw new RpcRefusal(400, 'signature verification failed');
    if (round + 1 < txn.firstValid || round + 1 > txn.lastValid)
      throw new RpcRefusal(400, `round ${round} outside of range`);
    const sender = txn.sender.toString();
    const lease = Buffer.from(txn.lease!).toString('base64');
    if (rows.some((row) => row.sender === sender && row.lease === lease && row['last-valid'] >= round + 1))
      throw new RpcRefusal(400, 'transaction using an overlapping lease');
    const payment = txn.payment ?? txn.assetTransfer!;
    const receiver = payment.receiver.toString();
    const map = txn.payment === undefined ? held : algos;
    algos.set(sender, algos.get(sender)! - txn.fee);
    if ((map.get(sender) ?? 0n) < payment.amount) throw new RpcRefusal(400, 'overspend');
    map.set(sender, (map.get(sender) ?? 0n) - payment.amount);
    map.set(receiver, (map.get(receiver) ?? 0n) + payment.amount);
    round += 1;
    const note = Buffer.from(txn.note).toString('base64');
    rows.push({
      id,
      sender,
      receiver,
      'confirmed-round': round,
      lease,
      note,
      'last-valid': Number(txn.lastValid),
      ...body(payment.amount, receiver),
    });
    return { txId: id };
  }

  async function get(text: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(text, 'http://node');
    if (pathname === '/algod/v2/transactions/params')
      return {
        'genesis-hash': MAINNET,
        'genesis-id': 'mainnet-v1.0',
        'last-round': round,
        fee: 0,
        'min-fee': 1_000,
        'consensus-version': 'v',
      };
    const [, account] = /^\/algod\/v2\/accounts\/([A-Z2-7]{58})$/.exec(pathname) ?? [];
    if (account !== undefined) {
      const assets = held.has(account)
        ? [{ 'asset-id': Number(asset), amount: Number(held.get(account)), 'is-frozen': false }]
        : [];
      return { address: account, amount: Number(algos.get(account) ?? 0n), 'min-balance': Number(MIN_BALANCE), assets };
    }
    if (pathname !== '/indexer/v2/transactions') throw new RpcRefusal(404, 'not found');
    const address = searchParams.get('address');
    const role = searchParams.get('address-role');
    const prefix = Buffer.from(searchParams.get('note-prefix') ?? '', 'base64').toString('latin1');
    const found = rows.filter(
      (row) =>
        (row.sender === address || (role !== 'sender' && row.receiver === address)) &&
        Buffer.from(row.note ?? '', 'base64')
          .toString('latin1')
          .startsWith(prefix) &&
        row['confirmed-round'] >= Number(searchParams.get('min-round') ?? 0) &&
        row['confirmed-round'] <= Number(searchParams.get('max-round') ?? Number.MAX_SAFE_INTEGER),
    );
    const start = Number(searchParams.get('next') ?? 0);
    const transactions = found.slice(start, start + 2);
    return {
      'current-round': round,
      transactions,
      ...(transactions.length > 0 ? { 'next-token': String(start + 2) } : {}),
    };
  }

  function deposit(place: DepositPlace, amount: bigint, memo: string | null = place.memo): void {
    round += 1;
    const sender = payer;
    const id = Buffer.from(createHash('sha256').update(String(round)).digest('hex'))
      .toString('hex')
      .toUpperCase()
      .replace(/[^A-Z2-7]/g, 'A')
      .slice(0, 52);
    const note = memo === null ? {} : { note: Buffer.from(memo).toString('base64') };
    rows.push({
      id,
      sender,
      receiver: place.address,
      'confirmed-round': round,
      'last-valid': round + 1_000,
      ...note,
      ...body(amount, place.address),
    });
    const map = asset === null ? algos : held;
    map.set(place.address, (map.get(place.address) ?? 0n) + amount);
  }

  return {
    transport: {
      rpc: get as never,
      get,
      post: async (path, bytes) => {
        if (path !== '/algod/v2/transactions' || !(bytes instanceof Uint8Array)) throw new RpcRefusal(404, 'not found');
        return submit(bytes);
      },
    },
    pass: (rounds) => {
      round += rounds;
    },
    fund(address, amount) {
      algos.set(address, asset === null ? amount + MIN_BALANCE : 10_000_000n);
      if (asset !== null) held.set(address, amount);
    },
    balance: (address) => (asset === null ? algos : held).get(address) ?? 0n,
    coins: (address) => algos.get(address) ?? 0n,
    deposit,
    payBy: (account) => {
      payer = account;
    },
    finalize: () => undefined,
    reorganize: () => {
      rows = rows.slice(0, -1);
    },
    decode(raw) {
      const { txn } = decodeSignedTransaction(Buffer.from(raw, 'hex'));
      const payment = asset === null ? txn.payment! : txn.assetTransfer!;
      if (payment.closeRemainderTo !== undefined || txn.rekeyTo !== undefined)
        throw new Error('gives the account away');
      if (asset !== null && txn.assetTransfer!.assetIndex !== asset) throw new Error('another asset');
      return { to: Address.fromString(payment.receiver.toString()).toString(), amount: payment.amount };
    },
  };
}
