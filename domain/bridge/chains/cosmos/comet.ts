import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query';
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query';
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig';
import { Tx } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { DelayedVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { SearchCut } from '../accounts/search-cut.ts';
import { type ChainTransport, InsufficientFunds, RpcRefusal } from '../chain-adapter.ts';
import { cosmosHash } from './cosmos-payment.ts';

/** Transactions of one answer; the most that a node gives. */
const PAGE_TRANSACTIONS = 100;
/** Pages that deposits are looked for in, newest first. */
const PAGES_MAX = 50;
const NOT_FOUND = 22;
const ACCOUNT = '/cosmos.auth.v1beta1.BaseAccount';
/** Whoever pays first to an address may make it such an account. It signs as any other, and all kinds begin with the same fields. */
const VESTING =
  /^\/cosmos\.vesting\.v1beta1\.(ContinuousVesting|DelayedVesting|PeriodicVesting|PermanentLocked)Account$/;

const Base64 = z.base64();
const Status = z.object({ node_info: z.object({ network: z.string() }) });
const Query = z.object({
  response: z.object({ code: z.int().default(0), log: z.string().nullish(), value: Base64.nullish() }),
});
const Listed = z.object({
  height: z.string().regex(/^[1-9][0-9]{0,15}$/),
  tx_result: z.object({ code: z.int().default(0) }),
  tx: Base64,
});
const Search = z.object({
  txs: z.array(Listed).max(PAGE_TRANSACTIONS),
  total_count: z.string().regex(/^[0-9]{1,15}$/),
});
const Taken = z.object({ code: z.int().default(0), log: z.string().default('') });

export interface CometTransaction {
  readonly hash: string;
  readonly tx: Tx;
  readonly hasFailed: boolean;
}

function baseOf({ typeUrl, value }: { readonly typeUrl: string; readonly value: Uint8Array }): BaseAccount | undefined {
  if (typeUrl === ACCOUNT) return BaseAccount.decode(value);
  return VESTING.test(typeUrl) ? DelayedVestingAccount.decode(value).baseVestingAccount?.baseAccount : undefined;
}

/** JSON-RPC of a node of CometBFT, each answer held to its form. */
export function comet({ rpc }: ChainTransport) {
  async function ask<Schema extends z.ZodType>(schema: Schema, method: string, params: object) {
    return answerOf(schema, await rpc(method, params), method);
  }

  async function query(path: string, data: Uint8Array): Promise<{ code: number; value: Uint8Array }> {
    const params = { path, data: Buffer.from(data).toString('hex'), prove: false };
    const { response } = await ask(Query, 'abci_query', params);
    return { code: response.code, value: Uint8Array.from(Buffer.from(response.value ?? '', 'base64')) };
  }

  return {
    network: async () => (await ask(Status, 'status', {})).node_info.network,

    /** @throws InsufficientFunds where the chain does not know the account: nothing has ever been paid to it */
    async account(address: string): Promise<BaseAccount> {
      const request = QueryAccountRequest.encode({ address }).finish();
      const { code, value } = await query('/cosmos.auth.v1beta1.Query/Account', request);
      if (code === NOT_FOUND) throw new InsufficientFunds('nothing has been paid to the vault yet');
      if (code !== 0) throw new RpcRefusal(code, 'the account could not be read');
      const { account } = QueryAccountResponse.decode(value);
      const found = account && baseOf(account);
      if (found === undefined) throw new Error('the vault has an account of another kind');
      if (found.address !== address) throw new Error('an account of another address');
      return found;
    },

    /** Whether an account is a module's, another chain's or a contract's. */
    async isOfProgram(address: string): Promise<boolean> {
      // Both questions have the address alone, as their first field.
      const request = QueryAccountRequest.encode({ address }).finish();
      const found = await query('/cosmos.auth.v1beta1.Query/Account', request);
      if (found.code !== 0 && found.code !== NOT_FOUND)
        throw new RpcRefusal(found.code, 'the account could not be read');
      const kind = found.code === 0 ? (QueryAccountResponse.decode(found.value).account?.typeUrl ?? '') : '';
      if (/\.(ModuleAccount|InterchainAccount)$/.test(kind)) return true;
      return (await query('/cosmwasm.wasm.v1.Query/ContractInfo', request)).code === 0;
    },

    async balance(address: string, denom: string): Promise<bigint> {
      const request = QueryBalanceRequest.encode({ address, denom }).finish();
      const { code, value } = await query('/cosmos.bank.v1beta1.Query/Balance', request);
      if (code !== 0) throw new RpcRefusal(code, 'the balance could not be read');
      const { balance } = QueryBalanceResponse.decode(value);
      return BigInt(balance?.denom === denom ? balance.amount : 0);
    },

    /** Those in blocks that have an event, newest first. */
    async *search(event: string): AsyncGenerator<CometTransaction> {
      let seen = 0;
      for (let page = 1; page <= PAGES_MAX; page += 1) {
        const range = { page: String(page), per_page: String(PAGE_TRANSACTIONS), order_by: 'desc' };
        const { txs, total_count: total } = await ask(Search, 'tx_search', { query: event, prove: false, ...range });
        seen += txs.length;
        for (const { tx: text, tx_result: result } of txs) {
          const raw = Uint8Array.from(Buffer.from(text, 'base64'));
          const tx = transactionOf(raw);
          if (tx !== null) yield { hash: cosmosHash(raw), tx, hasFailed: result.code !== 0 };
        }
        if (txs.length === 0 || seen >= Number(total)) return;
      }
      throw new SearchCut();
    },

    /** @throws RpcRefusal where the node does not take it */
    async send(raw: string): Promise<void> {
      const { code, log } = await ask(Taken, 'broadcast_tx_sync', { tx: raw });
      if (code !== 0) throw new RpcRefusal(code, log);
    },
  };
}

/** Signatures of a transaction that one multisignature alone has signed; none of another. */
export function signaturesIn({ signatures }: Tx): string[] {
  const [only] = signatures;
  if (only === undefined || signatures.length !== 1) return [];
  try {
    return MultiSignature.decode(only).signatures.map((signature) => Buffer.from(signature).toString('hex'));
  } catch {
    return [];
  }
}

/** What cannot be read is no transaction of the bridge, and must not hide others. */
function transactionOf(raw: Uint8Array): Tx | null {
  try {
    return Tx.decode(raw);
  } catch {
    return null;
  }
}
