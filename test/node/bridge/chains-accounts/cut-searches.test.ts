import { expect, it } from 'vitest';
import type { ChainAdapter, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { loadAdapter } from '../../../../domain/bridge/chains/load-adapter.ts';
import { COMMITMENT } from './describe-chain.ts';
import { frostCluster } from './frost-cluster.ts';
import { multisigCluster } from './multisig-cluster.ts';
import { PAYERS } from './payers.ts';

const ONE = { paging_token: '7' };
/** A page of each chain without anything of ours, behind which there is another. */
const PAGES: Readonly<Partial<Record<ChainName, unknown>>> = {
  xrpl: { transactions: [{}], marker: { ledger: 1 } },
  stellar: { _embedded: { records: [ONE] } },
  cosmos: { txs: [{ height: '1', tx_result: { code: 0 }, tx: '' }], total_count: '1000000' },
  solana: Array.from({ length: 1_000 }, (_, slot) => ({ signature: '1'.repeat(64), slot, err: 'failed', memo: null })),
  ton: { transactions: [{ account: '0:00', hash: 'another', lt: '1', out_msgs: [] }] },
};

it.each(Object.entries(PAGES) as [ChainName, unknown][])(
  'takes no deposit on %s for lost that it does not look so far back for',
  async (chain, page) => {
    const adapter: ChainAdapter = await loadAdapter(chain);
    const { keys } = adapter.scheme === 'multisig-secp256k1' ? multisigCluster() : frostCluster();
    const vault: Vault = { chain, network: 'mainnet', keys, contract: null, token: null, decimals: 6 };
    const answer = async () => page;
    const transport = { rpc: answer, get: answer, post: answer };
    const found = adapter.deposits(
      { vault, transport, relayer: null },
      COMMITMENT,
      PAYERS[chain as keyof typeof PAYERS].payer,
    );
    await expect(found).rejects.toThrow('more transactions than are looked through');
  },
);
