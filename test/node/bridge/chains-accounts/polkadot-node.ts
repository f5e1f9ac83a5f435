import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { AccountId, Bytes, compact, Struct, u8, u16 } from '@polkadot-api/substrate-bindings';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';

const GENESIS = '0x68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f';
const FEE = 20_000_000n;
const EXISTENTIAL = 100_000_000n;
const SPEC = 1_007_001;
const VERSION = 15;

/** An extrinsic of version 4 that moves a balance, as the runtime's metadata lay it out. */
const Extrinsic = Struct({
  length: compact,
  version: u8,
  addressKind: u8,
  signer: Bytes(32),
  signatureKind: u8,
  signature: Bytes(64),
  era: u16,
  nonce: compact,
  tip: compact,
  asset: u8,
  mode: u8,
  pallet: u8,
  call: u8,
  destKind: u8,
  dest: Bytes(32),
  value: compact,
});

/** Substrate API Sidecar at an Asset Hub. */
export function polkadotNode(): SimulatedNode & { pass(blocks: number): void } {
  const free = new Map<string, bigint>();
  const nonces = new Map<string, number>();
  const blocks = new Map<number, Record<string, unknown>[]>();
  const deposits: (() => void)[] = [];
  const shut = new Set<string>();
  let height = 9_000_000;

  const blockHash = (at: number) => `0x${createHash('sha256').update(`block ${at}`).digest('hex')}`;
  const address = (key: Uint8Array) => AccountId(0).dec(key);

  function open(raw: string) {
    const bytes = Buffer.from(raw.slice(2), 'hex');
    const extrinsic = Extrinsic.dec(raw);
    if (!Buffer.from(Extrinsic.enc(extrinsic)).equals(bytes)) throw new RpcRefusal(400, 'another extrinsic');
    if (extrinsic.version !== 0x84 || extrinsic.signatureKind !== 0) throw new RpcRefusal(400, 'another version');
    if (extrinsic.pallet !== 10 || extrinsic.call !== 3 || extrinsic.destKind !== 0)
      throw new RpcRefusal(400, 'another call');
    return { bytes, extrinsic };
  }

  function submit(raw: string): unknown {
    const { bytes, extrinsic } = open(raw);
    const { signer, signature, era, nonce, dest } = extrinsic;
    const period = 2 << (era & 0xf);
    const birth = Math.floor((height - (era >> 4)) / period) * period + (era >> 4);
    const call = Buffer.concat([Buffer.of(10, 3, 0), dest, compact.enc(extrinsic.value)]);
    const extra = Buffer.concat([
      u16.enc(era),
      compact.enc(nonce),
      Buffer.of(Number(extrinsic.tip), extrinsic.asset, extrinsic.mode),
    ]);
    const versions = Buffer.alloc(8);
    versions.writeUInt32LE(SPEC, 0);
    versions.writeUInt32LE(VERSION, 4);
    const implied = Buffer.concat([
      versions,
      Buffer.from(GENESIS.slice(2), 'hex'),
      Buffer.from(blockHash(birth).slice(2), 'hex'),
      Buffer.of(0),
    ]);
    const account = address(signer);
    if (!isSignedBy(signer, Buffer.concat([call, extra, implied]), signature))
      throw new RpcRefusal(400, '1010: Invalid Transaction: bad signature');
    const expected = nonces.get(account) ?? 0;
    if (Number(nonce) < expected) throw new RpcRefusal(400, '1010: Invalid Transaction: Transaction is outdated');
    if (Number(nonce) > expected) throw new RpcRefusal(400, 'waits in the pool');
    nonces.set(account, expected + 1);
    free.set(account, (free.get(account) ?? 0n) - FEE);
    const value = BigInt(extrinsic.value);
    const success = !shut.has(address(dest)) && (free.get(account) ?? 0n) - value >= EXISTENTIAL;
    if (success) {
      free.set(account, free.get(account)! - value);
      free.set(address(dest), (free.get(address(dest)) ?? 0n) + value);
    }
    height += 1;
    const hash = `0x${Buffer.from(blake2b(bytes, { dkLen: 32 })).toString('hex')}`;
    blocks.set(height, [
      {
        method: { pallet: 'timestamp', method: 'set' },
        signature: null,
        nonce: null,
        hash: `0x${'00'.repeat(32)}`,
        success: true,
      },
      {
        method: { pallet: 'balances', method: 'transferKeepAlive' },
        signature: { signature: `0x${Buffer.from(signature).toString('hex')}`, signer: { id: account } },
        nonce: String(nonce),
        hash,
        success,
      },
    ]);
    return { hash };
  }

  async function get(text: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(text, 'http://sidecar');
    if (pathname === '/transaction/material')
      return {
        at: { hash: blockHash(height), height: String(height) },
        genesisHash: GENESIS,
        chainName: 'Polkadot Asset Hub',
        specName: 'statemint',
        specVersion: String(SPEC),
        txVersion: String(VERSION),
      };
    if (pathname === '/blocks/head/header') return { number: String(height), parentHash: blockHash(height - 1) };
    if (pathname === '/blocks') {
      const [from, to] = searchParams.get('range')!.split('-').map(Number);
      return Array.from({ length: to! - from! + 1 }, (_, index) => ({
        number: String(from! + index),
        hash: blockHash(from! + index),
        extrinsics: blocks.get(from! + index) ?? [],
      }));
    }
    const [, account] = /^\/accounts\/(\w+)\/balance-info$/.exec(pathname) ?? [];
    if (account === undefined) throw new RpcRefusal(404, 'not found');
    return {
      at: { hash: blockHash(height), height: String(height) },
      nonce: String(nonces.get(account) ?? 0),
      tokenSymbol: 'DOT',
      free: String(free.get(account) ?? 0n),
      reserved: '0',
      frozen: '0',
      locks: [],
    };
  }

  return {
    transport: {
      rpc: get as never,
      get,
      post: async (path, body) => {
        if (path !== '/transaction') throw new RpcRefusal(404, 'not found');
        return submit((body as { tx: string }).tx);
      },
    },
    pass: (count) => {
      height += count;
    },
    lapse: () => {
      height += 129;
    },
    shut: (account, isShut) => void (isShut ? shut.add(account) : shut.delete(account)),
    fund: (account, amount) => void free.set(account, amount),
    balance: (account) => free.get(account) ?? 0n,
    deposit(place: DepositPlace, amount: bigint) {
      free.set(place.address, (free.get(place.address) ?? 0n) + amount);
      deposits.push(() => free.delete(place.address));
    },
    finalize: () => undefined,
    reorganize: () => deposits.pop()?.(),
    decode(raw) {
      const { extrinsic } = open(raw);
      if (BigInt(extrinsic.tip) !== 0n) throw new Error('gives a tip');
      return { to: address(extrinsic.dest), amount: BigInt(extrinsic.value) };
    },
  };
}
