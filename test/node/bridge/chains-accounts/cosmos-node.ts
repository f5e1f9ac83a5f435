import { createHash, createPublicKey, verify } from 'node:crypto';
import { isMultisigThresholdPubkey, makeSignDoc, pubkeyToAddress, serializeSignDoc } from '@cosmjs/amino';
import { decodePubkey } from '@cosmjs/proto-signing';
import { AminoTypes, createBankAminoConverters } from '@cosmjs/stargate';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query';
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query';
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { type DepositPlace, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SimulatedNode } from './describe-chain.ts';
import { PAYERS } from './payers.ts';

interface Entry {
  readonly raw: Uint8Array;
  readonly code: number;
  readonly events: readonly string[];
}

const CHAIN_ID = 'cosmoshub-4';
const ACCOUNT_NUMBER = 4_711;
const GAS_PRICE = 0.005;
const SEND = '/cosmos.bank.v1beta1.MsgSend';
const amino = new AminoTypes(createBankAminoConverters());

const hashOf = (raw: Uint8Array) => createHash('sha256').update(raw).digest('hex').toUpperCase();

/** By OpenSSL. */
function isSigned(keyBase64: string, message: Uint8Array, signature: Uint8Array): boolean {
  const point = Buffer.from(
    secp256k1.Point.fromBytes(Uint8Array.from(Buffer.from(keyBase64, 'base64'))).toBytes(false),
  );
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ];
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'secp256k1', x, y } });
  return verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/**
 * A node of the Cosmos Hub behind the JSON-RPC of CometBFT. Signatures are checked over the document that the library of the chain's community makes of the decoded transaction. A block a
 * transaction.
 */
export function cosmosNode(denom = 'uatom'): SimulatedNode & {
  readonly entries: Entry[];
  /** Puts a transaction into a block as it is: a validator has seen to it. */
  include(raw: Uint8Array): void;
} {
  let payer: string = PAYERS.cosmos.payer;
  const balances = new Map<string, bigint>();
  const sequences = new Map<string, number>();
  const entries: Entry[] = [];
  const at = (address: string, of: string) => `${address} ${of}`;
  const add = (address: string, of: string, amount: bigint) =>
    balances.set(at(address, of), (balances.get(at(address, of)) ?? 0n) + amount);

  function refusal(raw: Uint8Array): { code: number; log: string; home: string; sequence: number; fee: bigint } {
    const { body, authInfo, signatures } = Tx.decode(raw);
    const [signer] = authInfo?.signerInfos ?? [];
    const key = decodePubkey(signer!.publicKey!);
    if (!isMultisigThresholdPubkey(key)) throw new Error('not of a multisignature');
    const home = pubkeyToAddress(key, 'cosmos');
    const sequence = Number(signer!.sequence);
    const { amount, gasLimit } = authInfo!.fee!;
    const fee = BigInt(amount[0]!.amount);
    const no = (code: number, log: string) => ({ code, log, home, sequence, fee });
    if (amount[0]!.denom !== 'uatom' || Number(fee) < Number(gasLimit) * GAS_PRICE) return no(13, 'insufficient fee');
    if (sequence !== (sequences.get(home) ?? 0)) return no(32, 'account sequence mismatch');
    const messages = body!.messages.map(({ typeUrl, value }) => {
      const decoded = MsgSend.decode(value);
      if (typeUrl !== SEND || decoded.fromAddress !== home) throw new Error('not of the signer');
      return amino.toAmino({ typeUrl, value: decoded });
    });
    const document = makeSignDoc(
      messages,
      { amount, gas: String(gasLimit) },
      CHAIN_ID,
      body!.memo,
      ACCOUNT_NUMBER,
      sequence,
    );
    const { bitarray, modeInfos } = signer!.modeInfo!.multi!;
    const signed = key.value.pubkeys.filter((_, n) => (bitarray!.elems[0]! >> (7 - n)) & 1);
    const own = MultiSignature.decode(signatures[0]!).signatures;
    const isWhole =
      bitarray!.extraBitsStored === 5 && signed.length >= Number(key.value.threshold) && own.length === signed.length;
    const areModes = modeInfos.every(({ single }) => single?.mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON);
    const bytes = serializeSignDoc(document);
    if (!isWhole || !areModes || !signed.every(({ value }, n) => isSigned(value, bytes, own[n]!)))
      return no(4, 'unauthorized');
    return no(0, '');
  }

  function include(raw: Uint8Array): void {
    const { home, sequence, fee } = refusal(raw);
    const { body } = Tx.decode(raw);
    sequences.set(home, sequence + 1);
    add(home, 'uatom', -fee);
    const sends = body!.messages.map(({ value }) => MsgSend.decode(value));
    const isCovered = sends.every(({ amount }) =>
      amount.every((coin) => (balances.get(at(home, coin.denom)) ?? 0n) >= BigInt(coin.amount)),
    );
    const events = [`tx.hash='${hashOf(raw)}'`, `tx.acc_seq='${home}/${sequence}'`];
    for (const { toAddress, amount } of isCovered ? sends : []) {
      events.push(`transfer.recipient='${toAddress}'`);
      for (const coin of amount) {
        add(home, coin.denom, -BigInt(coin.amount));
        add(toAddress, coin.denom, BigInt(coin.amount));
      }
    }
    entries.push({ raw, code: isCovered ? 0 : 5, events });
  }

  function query(path: string, data: string) {
    const request = Uint8Array.from(Buffer.from(data, 'hex'));
    const answer = (value: Uint8Array) => ({ response: { code: 0, value: Buffer.from(value).toString('base64') } });
    if (path === '/cosmos.auth.v1beta1.Query/Account') {
      const { address } = QueryAccountRequest.decode(request);
      if (![...balances.keys()].some((key) => key.startsWith(address)))
        return { response: { code: 22, log: `account ${address} not found`, value: null } };
      const sequence = BigInt(sequences.get(address) ?? 0);
      const found = BaseAccount.fromPartial({ address, accountNumber: BigInt(ACCOUNT_NUMBER), sequence });
      const account = { typeUrl: '/cosmos.auth.v1beta1.BaseAccount', value: BaseAccount.encode(found).finish() };
      return answer(QueryAccountResponse.encode({ account }).finish());
    }
    if (path === '/cosmwasm.wasm.v1.Query/ContractInfo')
      return { response: { code: 2, log: 'no such contract', value: null } };
    const { address, denom: of } = QueryBalanceRequest.decode(request);
    const balance = { denom: of, amount: String(balances.get(at(address, of)) ?? 0n) };
    return answer(QueryBalanceResponse.encode({ balance }).finish());
  }

  async function rpc(method: string, params: unknown): Promise<unknown> {
    const asked = params as Record<string, string>;
    switch (method) {
      case 'status':
        return { node_info: { network: CHAIN_ID } };
      case 'abci_query':
        return query(asked.path!, asked.data!);
      case 'tx_search': {
        const all = entries.filter(({ events }) => events.includes(asked.query!)).reverse();
        // A node may give less than it is asked for: here two at a time.
        const size = 2;
        const start = (Number(asked.page) - 1) * size;
        const txs = all.slice(start, start + size).map(({ raw, code }, n) => ({
          hash: hashOf(raw),
          height: String(entries.length - n),
          index: 0,
          tx_result: { code },
          tx: Buffer.from(raw).toString('base64'),
        }));
        return { txs, total_count: String(all.length) };
      }
      case 'broadcast_tx_sync': {
        const raw = Uint8Array.from(Buffer.from(asked.tx!, 'base64'));
        if (entries.some((each) => Buffer.from(each.raw).equals(Buffer.from(raw))))
          throw new RpcRefusal(-32_603, 'Internal error: tx already exists in cache');
        const { code, log } = refusal(raw);
        if (code === 0) include(raw);
        return { code, log, codespace: code === 0 ? '' : 'sdk', hash: hashOf(raw) };
      }
      default:
        throw new RpcRefusal(-32_601, 'Method not found');
    }
  }

  function deposit(place: DepositPlace, amount: bigint, memo: string | null = place.memo): void {
    const send = { fromAddress: payer, toAddress: place.address, amount: [{ denom, amount: String(amount) }] };
    const value = MsgSend.encode(MsgSend.fromPartial(send)).finish();
    const body = { messages: [{ typeUrl: SEND, value }], memo: memo ?? '' };
    const raw = Tx.encode(Tx.fromPartial({ body, signatures: [Buffer.from(`signed ${entries.length}`)] })).finish();
    add(place.address, denom, amount);
    entries.push({ raw, code: 0, events: [`tx.hash='${hashOf(raw)}'`, `transfer.recipient='${place.address}'`] });
  }

  return {
    transport: { rpc, get: rpc as never, post: rpc as never },
    entries,
    include,
    fund(address, amount) {
      add(address, denom, amount);
      if (denom !== 'uatom') add(address, 'uatom', 1_000_000n);
    },
    balance: (address) => balances.get(at(address, denom)) ?? 0n,
    coins: (address) => balances.get(at(address, 'uatom')) ?? 0n,
    deposit,
    payBy: (account) => {
      payer = account;
    },
    finalize: () => undefined,
    reorganize: () => {
      entries.pop();
    },
    decode(raw) {
      const { body } = Tx.decode(Uint8Array.from(Buffer.from(raw, 'base64')));
      const { toAddress, amount } = MsgSend.decode(body!.messages[0]!.value);
      return { to: toAddress, amount: BigInt(amount[0]!.amount) };
    },
  };
}
