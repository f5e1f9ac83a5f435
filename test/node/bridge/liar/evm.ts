import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { evmVault } from '../../../../domain/bridge/chains/evm/evm-adapter.ts';
import { evmChainId } from '../../../../domain/bridge/chains/evm/evm-chains.ts';
import { EvmNode } from './evm-node.ts';
import type { LiarChain } from './liar-chain.ts';

const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const TOKEN = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const PAYEES = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'] as const;
const PAYER = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const COIN = 10n ** 18n;

/** An EVM chain: its contract keeps payments apart, and the relayer pays for gas. */
export function evmLiarChain(chain: ChainName): LiarChain {
  const adapter = evmVault(chain);
  return {
    name: chain,
    adapter,
    open(keys) {
      const shared = { chain, network: 'mainnet', keys, contract: CONTRACT } as const;
      const vaults: readonly [Vault, Vault] = [
        { ...shared, token: null, decimals: 18 },
        { ...shared, token: TOKEN, decimals: 18 },
      ];
      const chainId = evmChainId(chain, 'mainnet');
      const node = new EvmNode({ chainId, contract: CONTRACT, token: TOKEN, groupKey: keys.groupKey });
      // More than an honest coordinator orders at once.
      node.fund(null, 200n * COIN);
      node.fund(TOKEN, 200n * COIN);
      const settle = () => node.settle(adapter.confirmations);
      settle();
      return {
        vaults,
        transport: node.transport,
        relayer: `0x${'11'.repeat(32)}`,
        payees: PAYEES,
        payer: PAYER,
        amounts: [40n * COIN, 10n * COIN, 10n ** 12n, 10n ** 10n],
        held: async () => ({ '': node.held(null), [TOKEN]: node.held(TOKEN) }),
        payIn: (vault, { call }, amount) => node.deposit((call?.data ?? '').slice(10, 74), vault.token, PAYER, amount),
        settle,
        shallow: { mine: () => node.mine(), reorganize: () => node.reorganize() },
        // Gas is the relayer's.
        ceiling: () => 0n,
      };
    },
  };
}
