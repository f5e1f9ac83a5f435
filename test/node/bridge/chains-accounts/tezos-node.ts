import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { CODEC, getCodec, ProtocolsHash } from '@taquito/local-forging';
import { b58DecodePublicKey, b58Encode, getPkhfromPk, PrefixV2, verifySignature } from '@taquito/utils';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';
import { PAYERS } from './payers.ts';

interface Content {
  readonly kind: string;
  readonly source: string;
  readonly fee: string;
  readonly counter: string;
  readonly amount: string;
  readonly destination: string;
  readonly public_key: string;
}
type Row = Record<string, unknown> & {
  level: number;
  counter: number;
  sender: { address: string };
  target: { address: string };
};

/** A node and TzKT. */
export function tezosNode(): SimulatedNode & { pass(blocks: number): void } {
  let payer: string = PAYERS.tezos.payer;
  const balances = new Map<string, bigint>();
  const counters = new Map<string, number>();
  const keys = new Map<string, string>();
  let rows: Row[] = [];
  let level = 5_000_000;
  let waiting: (() => void)[] = [];

  const blockHash = (at: number) =>
    b58Encode(createHash('sha256').update(`block ${at}`).digest('hex'), PrefixV2.BlockHash);

  function open(raw: string): { branch: string; contents: Content[] } {
    return getCodec(CODEC.MANAGER, ProtocolsHash.PtTALLiNt).decoder(raw.slice(0, -128)) as {
      branch: string;
      contents: Content[];
    };
  }

  function submit(raw: string): string {
    const { branch, contents } = open(raw);
    const [first] = contents;
    const source = first!.source;
    const reveal = contents.find(({ kind }) => kind === 'reveal');
    const key = keys.get(source) ?? reveal?.public_key;
    if (key === undefined) throw new RpcRefusal(500, 'unrevealed_key');
    if (getPkhfromPk(key) !== source) throw new RpcRefusal(500, 'inconsistent_hash');
    const digest = blake2b(Buffer.from(`03${raw.slice(0, -128)}`, 'hex'), { dkLen: 32 });
    const signature = Buffer.from(raw.slice(-128), 'hex');
    const publicKey = Buffer.from(b58DecodePublicKey(key).slice(2), 'hex');
    const edsig = b58Encode(signature.toString('hex'), PrefixV2.Ed25519Signature);
    if (!isSignedBy(publicKey, digest, signature) || !verifySignature(raw.slice(0, -128), key, edsig, Uint8Array.of(3)))
      throw new RpcRefusal(500, 'invalid_signature');
    const expected = (counters.get(source) ?? 100) + 1;
    if (Number(first!.counter) < expected) throw new RpcRefusal(500, 'contract.counter_in_the_past');
    if (Number(first!.counter) > expected) throw new RpcRefusal(500, 'contract.counter_in_the_future');
    if (reveal !== undefined && keys.has(source)) throw new RpcRefusal(500, 'previously_revealed_key');
    const isRecent = Array.from({ length: 450 }, (_, back) => blockHash(level - back)).includes(branch);
    if (!isRecent) throw new RpcRefusal(500, 'outdated branch');
    level += 1;
    counters.set(source, Number(contents.at(-1)!.counter));
    if (reveal !== undefined) keys.set(source, key);
    for (const { fee } of contents) balances.set(source, (balances.get(source) ?? 0n) - BigInt(fee));
    const { amount, destination, counter } = contents.at(-1)!;
    const isApplied = (balances.get(source) ?? 0n) >= BigInt(amount) && BigInt(amount) > 0n;
    if (isApplied) {
      balances.set(source, balances.get(source)! - BigInt(amount));
      balances.set(destination, (balances.get(destination) ?? 0n) + BigInt(amount));
    }
    const hash = b58Encode(
      Buffer.from(blake2b(Buffer.from(raw, 'hex'), { dkLen: 32 })).toString('hex'),
      PrefixV2.OperationHash,
    );
    const row = {
      type: 'transaction',
      hash,
      counter: Number(counter),
      level,
      status: isApplied ? 'applied' : 'failed',
      amount: Number(amount),
    };
    rows.push({ ...row, sender: { address: source }, target: { address: destination } });
    return hash;
  }

  async function get(text: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(text, 'http://tezos');
    if (pathname === '/rpc/chains/main/blocks/head~2/header')
      return { hash: blockHash(level - 2), level: level - 2, chain_id: 'NetXdQprcVkpaWU', proto: 23 };
    const named = /^\/rpc\/chains\/main\/blocks\/(B\w{50})\/header$/.exec(pathname)?.[1];
    if (named !== undefined) {
      const at = Array.from({ length: 2_000 }, (_, back) => level - back).find((one) => blockHash(one) === named);
      if (at === undefined) throw new RpcRefusal(404, 'no such block');
      return { hash: named, level: at, chain_id: 'NetXdQprcVkpaWU', proto: 23 };
    }
    const [, block, contract = '', field] =
      /^\/rpc\/chains\/main\/blocks\/(B\w+)\/context\/contracts\/(tz\w+)\/(\w+)$/.exec(pathname) ?? [];
    if (block !== undefined) {
      if (block !== blockHash(level - 2)) throw new RpcRefusal(404, 'no such block');
      if (field === 'balance') return String(balances.get(contract) ?? 0n);
      const above = rows.filter((row) => row.sender.address === contract && row.level > level - 2);
      if (field === 'counter')
        return String(above[0] === undefined ? (counters.get(contract) ?? 100) : above[0].counter - 1);
      if (field === 'manager_key') return keys.get(contract) ?? null;
    }
    if (pathname !== '/tzkt/v1/operations/transactions') throw new RpcRefusal(404, 'not found');
    const [sender, target, counter] = ['sender', 'target', 'counter'].map((name) => searchParams.get(name));
    return rows.filter(
      (row) =>
        (sender == null || row.sender.address === sender) &&
        (target == null || row.target.address === target) &&
        (counter == null || row.counter === Number(counter)),
    );
  }

  return {
    transport: {
      rpc: get as never,
      get,
      post: async (path, body) => {
        if (path !== '/rpc/injection/operation' || typeof body !== 'string') throw new RpcRefusal(404, 'not found');
        return submit(body);
      },
    },
    pass: (blocks) => {
      level += blocks;
    },
    lapse: () => {
      level += 1_001;
    },
    fund: (address, amount) => void balances.set(address, amount),
    balance: (address) => balances.get(address) ?? 0n,
    deposit(place: DepositPlace, amount: bigint) {
      level += 1;
      balances.set(place.address, (balances.get(place.address) ?? 0n) + amount);
      const hash = b58Encode(createHash('sha256').update(`op ${level}`).digest('hex'), PrefixV2.OperationHash);
      const sender = { address: payer };
      rows.push({
        hash,
        counter: level,
        level,
        status: 'applied',
        amount: Number(amount),
        sender,
        target: { address: place.address },
      });
      waiting.push(() => {
        rows = rows.filter((row) => row.hash !== hash);
      });
    },
    payBy: (account) => {
      payer = account;
    },
    finalize: () => {
      level += 2;
    },
    reorganize: () => {
      for (const undo of waiting) undo();
      waiting = [];
    },
    decode(raw) {
      const pays = open(raw).contents.filter(({ kind }) => kind === 'transaction');
      if (pays.length !== 1) throw new Error('not one payment');
      return { to: pays[0]!.destination, amount: BigInt(pays[0]!.amount) };
    },
  };
}
