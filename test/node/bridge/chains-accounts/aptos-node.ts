import { createHash } from 'node:crypto';
import {
  AccountAddress,
  ChainId,
  Deserializer,
  EntryFunction,
  RawTransaction,
  SignedTransaction,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { isSignedBy } from './is-signed-by.ts';

const GAS_USED = 10n;
const sha3 = (...parts: Uint8Array[]) => createHash('sha3-256').update(Buffer.concat(parts)).digest();

interface Submission {
  readonly sender: string;
  readonly sequence_number: string;
  readonly max_gas_amount: string;
  readonly gas_unit_price: string;
  readonly expiration_timestamp_secs: string;
  readonly payload: { readonly function: string; readonly arguments: readonly [string, string] };
  readonly signature: { readonly public_key: string; readonly signature: string };
}

/** A fullnode's REST interface. Gas is the sender's. Each block has a version of its own. */
export function aptosNode(): SimulatedNode & { pass(seconds: number): void } {
  const balances = new Map<string, bigint>();
  const sequences = new Map<string, bigint>();
  const sent = new Map<string, Record<string, unknown>[]>();
  const deposits: (() => void)[] = [];
  const shut = new Set<string>();
  let version = 1_000n;
  let seconds = 1_800_000_000n;

  /** What a node does with JSON: it builds the bytes anew and checks the signature over them. */
  function submit(body: Submission): unknown {
    const [module, name, ...rest] = [
      body.payload.function.split('::').slice(0, 2).join('::'),
      body.payload.function.split('::')[2]!,
    ];
    if (rest.length > 0) throw new RpcRefusal(400, 'invalid_input');
    const [to, octas] = body.payload.arguments;
    const raw = new RawTransaction(
      AccountAddress.from(body.sender),
      BigInt(body.sequence_number),
      new TransactionPayloadEntryFunction(
        EntryFunction.build(
          module as `${string}::${string}`,
          name,
          [],
          [AccountAddress.from(to), new U64(BigInt(octas))],
        ),
      ),
      BigInt(body.max_gas_amount),
      BigInt(body.gas_unit_price),
      BigInt(body.expiration_timestamp_secs),
      new ChainId(1),
    );
    const key = Buffer.from(body.signature.public_key.slice(2), 'hex');
    const message = Buffer.concat([sha3(Buffer.from('APTOS::RawTransaction')), raw.bcsToBytes()]);
    const bytes = Buffer.from(body.signature.signature.slice(2), 'hex');
    if (!isSignedBy(key, message, bytes)) throw new RpcRefusal(400, 'INVALID_SIGNATURE');
    if (`0x${sha3(key, Buffer.of(0)).toString('hex')}` !== body.sender) throw new RpcRefusal(400, 'INVALID_AUTH_KEY');
    if (raw.expiration_timestamp_secs <= seconds) throw new RpcRefusal(400, 'TRANSACTION_EXPIRED');
    const expected = sequences.get(body.sender) ?? 0n;
    if (raw.sequence_number < expected)
      throw new RpcRefusal(400, '{"error_code":"vm_error","message":"SEQUENCE_NUMBER_TOO_OLD"}');
    if (raw.sequence_number > expected) throw new RpcRefusal(400, 'waits in the mempool');
    sequences.set(body.sender, expected + 1n);
    version += 1n;
    const gas = GAS_USED * raw.gas_unit_price;
    balances.set(body.sender, (balances.get(body.sender) ?? 0n) - gas);
    const success = !shut.has(to) && (balances.get(body.sender) ?? 0n) >= BigInt(octas);
    if (success) {
      balances.set(body.sender, balances.get(body.sender)! - BigInt(octas));
      balances.set(to, (balances.get(to) ?? 0n) + BigInt(octas));
    }
    const signed = Buffer.concat([raw.bcsToBytes(), Buffer.of(0, 32), key, Buffer.of(64), bytes]);
    const hash = `0x${sha3(sha3(Buffer.from('APTOS::Transaction')), Buffer.of(0), signed).toString('hex')}`;
    const row = {
      type: 'user_transaction',
      hash,
      success,
      sequence_number: body.sequence_number,
      signature: body.signature,
    };
    sent.set(body.sender, [...(sent.get(body.sender) ?? []), row]);
    return { hash };
  }

  async function get(text: string): Promise<unknown> {
    const { pathname, searchParams } = new URL(text, 'http://aptos');
    if (pathname === '/v1')
      return { chain_id: 1, ledger_version: String(version), ledger_timestamp: `${seconds}000007`, block_height: '9' };
    if (BigInt(searchParams.get('ledger_version') ?? 0) > version)
      throw new RpcRefusal(404, '{"error_code":"version_not_found"}');
    if (pathname === '/v1/estimate_gas_price') return { gas_estimate: 100, deprioritized_gas_estimate: 100 };
    const [, account = '', rest] = /^\/v1\/accounts\/(0x[0-9a-f]{64})(\/.*)?$/.exec(pathname) ?? [];
    if (rest === '/balance/0x1::aptos_coin::AptosCoin') return Number(balances.get(account) ?? 0n);
    if (rest === '/transactions') {
      const start = Number(searchParams.get('start'));
      return (sent.get(account) ?? []).slice(start, start + Number(searchParams.get('limit')));
    }
    if (account === '' || !sequences.has(account)) throw new RpcRefusal(404, '{"error_code":"account_not_found"}');
    return { sequence_number: String(sequences.get(account)), authentication_key: account };
  }

  function pass(count: number): void {
    version += 1n;
    seconds += BigInt(count);
  }

  return {
    transport: {
      rpc: get as never,
      get,
      post: async (path, body) => {
        if (path !== '/v1/transactions') throw new RpcRefusal(404, 'not found');
        return submit(body as Submission);
      },
    },
    pass,
    lapse: () => pass(86_400),
    shut: (address, isShut) => void (isShut ? shut.add(address) : shut.delete(address)),
    fund: (address, amount) => void balances.set(address, amount),
    balance: (address) => balances.get(address) ?? 0n,
    deposit(place: DepositPlace, amount: bigint) {
      balances.set(place.address, (balances.get(place.address) ?? 0n) + amount);
      deposits.push(() => balances.delete(place.address));
    },
    finalize: () => undefined,
    reorganize: () => deposits.pop()?.(),
    decode(raw) {
      const { raw_txn: transaction } = SignedTransaction.deserialize(new Deserializer(Buffer.from(raw, 'hex')));
      const { entryFunction } = transaction.payload as TransactionPayloadEntryFunction;
      const [to, amount] = entryFunction.args;
      if (entryFunction.function_name.identifier !== 'transfer') throw new Error('another function');
      return {
        to: AccountAddress.deserialize(new Deserializer(to!.bcsToBytes())).toStringLong(),
        amount: new Deserializer(amount!.bcsToBytes()).deserializeU64(),
      };
    },
  };
}
