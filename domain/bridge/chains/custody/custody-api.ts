import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { type ChainTransport, type CustodyAccount, RpcRefusal } from '../chain-adapter.ts';
import type { TransferRequest } from './transfer-request.ts';

/** Of a list, so many a page, and so many pages. */
const PAGE_TRANSACTIONS = 500;
const PAGE_ADDRESSES = 1_000;
const PAGES_MAX = 20;

const Peer = z.object({ type: z.string(), id: z.string().nullish() });
const Transaction = z.object({
  id: z.string().min(1).max(100),
  externalTxId: z.string().nullish(),
  status: z.string(),
  subStatus: z.string().nullish(),
  txHash: z.string().nullish(),
  operation: z.string().nullish(),
  assetId: z.string(),
  source: Peer,
  sourceAddress: z.string().nullish(),
  destination: Peer,
  destinationAddress: z.string().nullish(),
  destinationTag: z.string().nullish(),
  amountInfo: z.object({ amount: z.string().nullish() }),
  numOfConfirmations: z.number().int().nonnegative().nullish(),
  createdAt: z.number().int().nonnegative(),
});
/** A transaction as the provider tells of it. */
export type CustodyTransaction = z.infer<typeof Transaction>;

const Address = z.object({
  address: z.string().min(1).max(200),
  tag: z.string().nullish(),
  customerRefId: z.string().nullish(),
});
export type CustodyAddress = z.infer<typeof Address>;
const Addresses = z.object({
  addresses: z.array(Address),
  paging: z.object({ after: z.string().nullish() }).nullish(),
});
const Balance = z.object({ available: z.string() });

/** What the bridge asks of a custody provider: the REST interface of Fireblocks (docs/design/bridge/custody.md). */
export function custodyApi(transport: Pick<ChainTransport, 'get' | 'post'>, { account, asset }: CustodyAccount) {
  const wallet = `/v1/vault/accounts/${encodeURIComponent(account)}/${encodeURIComponent(asset)}`;

  async function transactionOf(externalTxId: string): Promise<CustodyTransaction | null> {
    try {
      const path = `/v1/transactions/external_tx_id/${encodeURIComponent(externalTxId)}`;
      const found = answerOf(Transaction, await transport.get(path), 'a transaction');
      if (found.externalTxId !== externalTxId) throw new Error('the provider answers with another transaction');
      return found;
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === 404) return null;
      throw error;
    }
  }

  return {
    transactionOf,

    /** What can be paid out, in the provider's decimal form. */
    available: async (): Promise<string> => answerOf(Balance, await transport.get(wallet), 'a balance').available,

    /** One that was handed in before under the same id stands, whatever it is. */
    async submit(request: TransferRequest): Promise<void> {
      try {
        await transport.post('/v1/transactions', request);
      } catch (error) {
        const standing = error instanceof RpcRefusal ? await transactionOf(request.externalTxId) : null;
        if (standing === null) throw error;
      }
    },

    /** Asks for it. What became of it, the transaction says. */
    async cancel(id: string): Promise<void> {
      try {
        await transport.post(`/v1/transactions/${encodeURIComponent(id)}/cancel`, {});
      } catch (error) {
        // It may be too late for that.
        if (!(error instanceof RpcRefusal)) throw error;
      }
    },

    createAddress: async (customerRefId: string): Promise<CustodyAddress> =>
      answerOf(Address, await transport.post(`${wallet}/addresses`, { customerRefId }), 'an address'),

    /** Those with the label. */
    async addressesOf(customerRefId: string): Promise<CustodyAddress[]> {
      const found: CustodyAddress[] = [];
      let after = '';
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = new URLSearchParams({ limit: String(PAGE_ADDRESSES), ...(after !== '' && { after }) });
        const path = `${wallet}/addresses_paginated?${query}`;
        const listed = answerOf(Addresses, await transport.get(path), 'addresses');
        found.push(...listed.addresses.filter((address) => address.customerRefId === customerRefId));
        after = listed.paging?.after ?? '';
        if (after === '') return found;
      }
      throw new Error('the account has more addresses than are looked through');
    },

    /** What has come into the account, newest first. One in another form than ours must not hide the others. */
    async *incoming(): AsyncGenerator<CustodyTransaction> {
      const seen = new Set<string>();
      let before: number | null = null;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const query = new URLSearchParams({
          destType: 'VAULT_ACCOUNT',
          destId: account,
          assets: asset,
          orderBy: 'createdAt',
          sort: 'DESC',
          limit: String(PAGE_TRANSACTIONS),
          ...(before !== null && { before: String(before) }),
        });
        const listed = answerOf(z.array(z.unknown()), await transport.get(`/v1/transactions?${query}`), 'transactions');
        const fresh = listed.flatMap((one) => {
          const { success, data } = Transaction.safeParse(one);
          return success && !seen.has(data.id) ? [data] : [];
        });
        for (const transaction of fresh) {
          seen.add(transaction.id);
          yield transaction;
        }
        const last = fresh.at(-1);
        if (listed.length < PAGE_TRANSACTIONS) return;
        if (last === undefined) throw new Error('more transactions of one moment than a page has');
        // One more: others of the same moment may stand on the next page.
        before = last.createdAt + 1;
      }
    },
  };
}
