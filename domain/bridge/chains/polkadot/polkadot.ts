import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { nextNumber } from '../accounts/next-number.ts';
import { ofSameAccount } from '../accounts/of-same-account.ts';
import { fromOf } from '../accounts/paying-account.ts';
import { transferKey, vaultKey } from '../accounts/paying-key.ts';
import { requireCoin } from '../accounts/require-coin.ts';
import { spentBy } from '../accounts/spent-by.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import {
  type ChainAdapter,
  type ChainTransport,
  type ChainView,
  type Deposit,
  InsufficientFunds,
  type PaymentOrder,
  type PaymentStatus,
  type ReferenceCheck,
  RpcRefusal,
} from '../chain-adapter.ts';
import { checkedReference, farAhead, neverSo, notSo } from '../reference-check.ts';
import {
  extrinsicHash,
  isGenesisOf,
  LIFETIME_BLOCKS,
  PLANCKS_MAX,
  POLKADOT_REFERENCE,
  polkadotAddress,
  polkadotKey,
  polkadotPayment,
  TRANSFER_FEE,
} from './polkadot-payment.ts';

/** Blocks that are read at a time. */
const BLOCKS_PER_PAGE = 32;

const Digits = z.string().regex(/^[0-9]{1,39}$/);
const Hash = z.string().regex(/^0x[0-9a-f]{64}$/);
const Material = z.object({
  at: z.object({ hash: Hash, height: Digits }),
  genesisHash: Hash,
  specVersion: Digits,
  txVersion: Digits,
});
const Balance = z.object({ nonce: Digits, free: Digits, frozen: Digits.optional() });
const Head = z.object({ number: Digits });
const Named = z.array(z.object({ number: Digits, hash: Hash }));
const Blocks = z.array(z.object({ number: Digits, extrinsics: z.array(z.unknown()) }));
const Signed = z.object({
  hash: Hash,
  nonce: Digits,
  success: z.boolean(),
  signature: z.object({ signature: z.string(), signer: z.union([z.string(), z.object({ id: z.string() })]) }),
});

/**
 * Polkadot, with its own coin, on its Asset Hub, by the interface of Substrate API Sidecar. Each transfer has an account of its own, whose balance is the deposit; a
 * payment uses a nonce for some blocks. What is read is finalized.
 */
export const polkadot: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (polkadotKey(text, network) === null ? null : text),
  payeeFault: async ({ vault }, to) => (to === polkadotAddress(vault.keys.groupKey, vault.network) ? 'own' : null),

  countsBy: ({ keys, network }) => polkadotAddress(keys.groupKey, network),

  depositPlace: ({ vault }, commitment, amount) => {
    requireCoin(vault);
    wholeUnits(amount, PLANCKS_MAX);
    return { address: polkadotAddress(transferKey(vault, commitment).key, vault.network), memo: null, call: null };
  },

  deposits,

  sweepable: async ({ vault, transport }, commitment) =>
    String(movable(await accountOf(transport, polkadotAddress(transferKey(vault, commitment).key, vault.network)))),

  async referenceFor({ vault, transport }, order, taken) {
    requireCoin(vault);
    const from = fromOf(order.kind);
    const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, order.commitment);
    const account = await accountOf(transport, polkadotAddress(key, vault.network));
    const held = movable(account);
    const needed = wholeUnits(order.amount, PLANCKS_MAX) + (from === 'vault' ? TRANSFER_FEE : 0n);
    if (held < needed) throw new InsufficientFunds(`the account has ${held} plancks of ${needed}`);
    const answer = await transport.get('/transaction/material?noMeta=true');
    const { at, genesisHash, specVersion, txVersion } = answerOf(Material, answer, 'transaction/material');
    const genesis = genesisHash.slice(2);
    if (!isGenesisOf(vault.network, genesis)) throw new Error('the node is of another network');
    // A nonce whose payment can land no more is free again: those after it wait for it.
    const own = ofSameAccount(from, POLKADOT_REFERENCE.readAll(taken)).filter(
      (one) => BigInt(one.height) + BigInt(LIFETIME_BLOCKS) >= BigInt(at.height),
    );
    return POLKADOT_REFERENCE.write({
      from,
      nonce: nextNumber(
        BigInt(account.nonce),
        own.map(({ nonce }) => nonce),
      ),
      block: at.hash.slice(2),
      height: at.height,
      spec: specVersion,
      version: txVersion,
      genesis,
    });
  },

  build(vault, order) {
    requireCoin(vault);
    const { message, paying } = polkadotPayment(vault, order);
    return { messages: [{ bytes: bytesToHex(message), tweak: paying.tweak }] };
  },

  complete(vault, order, signatures) {
    requireCoin(vault);
    const payment = polkadotPayment(vault, order);
    const extrinsic = payment.signed(groupSignature(signatures, payment.message, payment.paying.key));
    return { raw: `0x${bytesToHex(extrinsic)}`, transaction: extrinsicHash(extrinsic) };
  },

  /** A nonce that is gone was used by this payment or another: the status says which. */
  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    try {
      await transport.post('/transaction', { tx: raw });
    } catch (refusal) {
      const isKnown =
        refusal instanceof RpcRefusal && /already imported|temporarily banned|outdated|stale/i.test(refusal.message);
      if (!isKnown) throw refusal;
    }
    return transaction;
  },

  statusOf,
  checkReference,
};

async function accountOf(transport: ChainTransport, address: string): Promise<z.infer<typeof Balance>> {
  return answerOf(Balance, await transport.get(`/accounts/${address}/balance-info`), 'balance-info');
}

/** What is frozen cannot be paid on: anybody may send coins that vest in years. */
function movable({ free, frozen = '0' }: z.infer<typeof Balance>): bigint {
  const left = BigInt(free) - BigInt(frozen);
  return left < 0n ? 0n : left;
}

/** The balance of the transfer's own account that can be moved: what has come, or what a payment has left. */
async function deposits({ vault, transport }: ChainView, commitment: string): Promise<Deposit[]> {
  const address = polkadotAddress(transferKey(vault, commitment).key, vault.network);
  const amount = movable(await accountOf(transport, address));
  return amount === 0n ? [] : [{ reference: address, amount: String(amount), confirmations: 1, isBalance: true }];
}

/**
 * All blocks are read in which the payment can be: the extrinsic that has the account's nonce is this payment if its signature is of what the order builds. Where there is
 * none in all of them, none can land any more.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { nonce, height } = POLKADOT_REFERENCE.read(order.reference);
  const { message, paying } = polkadotPayment(vault, order);
  const address = polkadotAddress(paying.key, vault.network);
  const { number } = answerOf(Head, await transport.get('/blocks/head/header'), 'blocks/head/header');
  const head = Number(number);
  const first = Number(height) + 1;
  const last = Number(height) + LIFETIME_BLOCKS;
  for (let start = first; start <= Math.min(last, head); start += BLOCKS_PER_PAGE) {
    const end = Math.min(start + BLOCKS_PER_PAGE - 1, last, head);
    const blocks = answerOf(Blocks, await transport.get(`/blocks?range=${start}-${end}`), 'blocks');
    if (blocks.length !== end - start + 1) throw new Error('a node answered for other blocks');
    for (const [index, block] of blocks.entries()) {
      if (Number(block.number) !== start + index) throw new Error('a node answered for other blocks');
      for (const one of block.extrinsics) {
        const { data: signed } = Signed.safeParse(one);
        if (signed === undefined || signerOf(signed.signature.signer) !== address || signed.nonce !== nonce) continue;
        const isThis = isSignatureOf(signed.signature.signature, message, paying.key);
        return spentBy(order, { isThis, hasFailed: !signed.success }, signed.hash, head - Number(block.number) + 1);
      }
    }
  }
  if (head <= last) return { state: 'unspent' };
  return { state: 'void', transaction: `none until block ${last}`, confirmations: head - last };
}

function signerOf(signer: string | { id: string }): string {
  return typeof signer === 'string' ? signer : signer.id;
}

function isSignatureOf(text: string, message: Uint8Array, key: string): boolean {
  if (!/^0x[0-9a-f]{128}$/.test(text)) return false;
  return ed25519.verify(hexToBytes(text.slice(2)), message, hexToBytes(key));
}

/** The height is what the payment's time is counted by: with a lower one it would seem void while it can still land. */
async function checkReference(
  { vault, transport }: ChainView,
  { reference, commitment }: PaymentOrder,
): Promise<ReferenceCheck> {
  const { from, nonce, block, height, genesis, spec, version } = POLKADOT_REFERENCE.read(reference);
  const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, commitment);
  const material = answerOf(Material, await transport.get('/transaction/material?noMeta=true'), 'transaction/material');
  if (BigInt(height) > BigInt(material.at.height))
    throw new Error('the node does not have the block of the reference yet');
  const [named] = answerOf(Named, await transport.get(`/blocks?range=${height}-${height}`), 'blocks');
  const account = await accountOf(transport, polkadotAddress(key, vault.network));
  return checkedReference(
    neverSo(genesis === material.genesisHash.slice(2), 'another network'),
    neverSo(named?.number === height && named.hash === `0x${block}`, 'its block has another height'),
    notSo(spec === material.specVersion && version === material.txVersion, 'another version of the runtime'),
    farAhead(nonce, BigInt(account.nonce)),
  );
}
