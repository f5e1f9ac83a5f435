import { createHash } from 'node:crypto';
import { encodeTransaction, SignedTransaction } from '@near-js/transactions';
import { base58 } from '@scure/base';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';

const GAS = 45n * 10n ** 18n;

/** A node's JSON-RPC. */
export function nearNode(): SimulatedNode & { pass(blocks: number): void; forget(): void } {
  const accounts = new Map<string, { amount: bigint; nonce: number }>();
  const outcomes = new Map<string, { final: boolean; status: object }>();
  const deposits: (() => void)[] = [];
  let height = 120_000_000;
  let horizon = 0;

  const blockHash = (at: number) => base58.encode(createHash('sha256').update(`block ${at}`).digest());
  const handler = (cause: string) =>
    new RpcRefusal(-32000, JSON.stringify({ name: 'HANDLER_ERROR', cause: { name: cause }, message: 'Server error' }));

  function credit(account: string, amount: bigint): void {
    const before = accounts.get(account) ?? { amount: 0n, nonce: height * 1_000_000 };
    accounts.set(account, { ...before, amount: before.amount + amount });
  }

  function submit(raw: string): void {
    const signed = SignedTransaction.decode(Buffer.from(raw, 'base64'));
    const { transaction, signature } = signed;
    const hash = createHash('sha256').update(encodeTransaction(transaction)).digest();
    const key = transaction.publicKey.ed25519Key!.data;
    if (!isSignedBy(key, hash, signature.ed25519Signature!.data)) return;
    const signer = accounts.get(transaction.signerId);
    if (signer === undefined || Buffer.from(key).toString('hex') !== transaction.signerId) return;
    if (transaction.nonce <= BigInt(signer.nonce)) return;
    const isRecent = Array.from({ length: 20 }, (_, back) => blockHash(height - back)).includes(
      base58.encode(Uint8Array.from(transaction.blockHash)),
    );
    const [action, ...more] = transaction.actions;
    const amount = BigInt(action!.transfer!.deposit);
    if (!isRecent || more.length > 0 || signer.amount < amount + GAS) return;
    signer.nonce = Number(transaction.nonce);
    signer.amount -= GAS;
    height += 2;
    const isThere = accounts.has(transaction.receiverId) || /^[0-9a-f]{64}$/.test(transaction.receiverId);
    if (isThere) {
      signer.amount -= amount;
      credit(transaction.receiverId, amount);
    }
    const status = isThere ? { SuccessValue: '' } : { Failure: { ActionError: { kind: { AccountDoesNotExist: {} } } } };
    outcomes.set(base58.encode(hash), { final: false, status });
  }

  async function rpc(method: string, params: unknown): Promise<unknown> {
    const query = params as Record<string, string>;
    switch (method) {
      case 'query': {
        // State of now alone.
        if (query.block_id !== undefined && query.block_id !== blockHash(height)) throw handler('UNKNOWN_BLOCK');
        const account = accounts.get(query.account_id!);
        if (account === undefined) throw handler('UNKNOWN_ACCOUNT');
        if (query.request_type === 'view_account')
          return { amount: String(account.amount), locked: '0', storage_usage: 182, block_height: height };
        if (query.request_type === 'view_access_key_list')
          return { keys: [{ access_key: { nonce: 0, permission: 'FullAccess' } }] };
        if (query.public_key !== `ed25519:${base58.encode(Buffer.from(query.account_id!, 'hex'))}`)
          throw handler('UNKNOWN_ACCESS_KEY');
        return { nonce: account.nonce, permission: 'FullAccess', block_height: height };
      }
      case 'block': {
        if (query.finality === 'final') return { header: { hash: blockHash(height), height } };
        for (let at = height; at >= horizon && at > height - 200_000; at -= 1)
          if (blockHash(at) === query.block_id) return { header: { hash: blockHash(at), height: at } };
        throw handler('UNKNOWN_BLOCK');
      }
      case 'send_tx':
        submit(query.signed_tx_base64!);
        return { final_execution_status: 'NONE' };
      case 'tx': {
        const outcome = outcomes.get(query.tx_hash!);
        if (outcome === undefined) throw handler('UNKNOWN_TRANSACTION');
        return { final_execution_status: outcome.final ? 'FINAL' : 'EXECUTED_OPTIMISTIC', status: outcome.status };
      }
      default:
        throw new RpcRefusal(-32601, 'Method not found');
    }
  }

  return {
    transport: { rpc, get: rpc as never, post: rpc as never },
    pass: (blocks) => {
      height += blocks;
    },
    lapse: () => {
      height += 87_601;
    },
    shut: (address, isShut) => (isShut ? void accounts.delete(address) : credit(address, 0n)),
    forget: () => {
      horizon = height;
    },
    fund: (address, amount) => credit(address, amount),
    balance: (address) => accounts.get(address)?.amount ?? 0n,
    deposit(place: DepositPlace, amount: bigint) {
      credit(place.address, amount);
      deposits.push(() => accounts.delete(place.address));
    },
    finalize: () => {
      for (const outcome of outcomes.values()) outcome.final = true;
    },
    reorganize: () => deposits.pop()?.(),
    decode(raw) {
      const { transaction } = SignedTransaction.decode(Buffer.from(raw, 'base64'));
      const [action, ...more] = transaction.actions;
      if (more.length > 0) throw new Error('more than one action');
      return { to: transaction.receiverId, amount: BigInt(action!.transfer!.deposit) };
    },
  };
}
