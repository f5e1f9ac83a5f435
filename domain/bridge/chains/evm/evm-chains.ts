import type { Vault } from '../chain-adapter.ts';
import type { ChainName } from '../chain-name.ts';
import { EXCHANGE_CHAIN } from '../chain-name.ts';

/** Chain ids by network; those of a machine's own are next to none that is in use. */
interface EvmChain {
  readonly mainnet: number;
  readonly testnet: number;
  readonly local: number;
  /** Blocks after which funds and payments count. */
  readonly confirmations: number;
  /** Its nodes know the tag `finalized`: so many confirmations are the least, and the block has to be final as well. */
  readonly hasFinalized?: true;
  /** Gas of a transaction is for its bytes on Ethereum as well, at what those cost at the moment. */
  readonly hasBytesInGas?: true;
}

/**
 * EVM chains. Confirmations: on Ethereum two epochs, on rollups and faster chains about as long in time; each time once the block is final, too. On the exchange's own as the recorder waits.
 */
export const EVM_CHAINS: Readonly<Partial<Record<ChainName, EvmChain>>> = {
  [EXCHANGE_CHAIN]: { mainnet: 8_675_309, testnet: 8_675_310, local: 8_675_311, confirmations: 12 },
  ethereum: { mainnet: 1, testnet: 11_155_111, local: 31_337, confirmations: 64, hasFinalized: true },
  arbitrum: {
    mainnet: 42_161,
    testnet: 421_614,
    local: 31_338,
    confirmations: 3_000,
    hasFinalized: true,
    hasBytesInGas: true,
  },
  optimism: { mainnet: 10, testnet: 11_155_420, local: 31_339, confirmations: 400, hasFinalized: true },
  base: { mainnet: 8_453, testnet: 84_532, local: 31_340, confirmations: 400, hasFinalized: true },
  polygon: { mainnet: 137, testnet: 80_002, local: 31_341, confirmations: 256, hasFinalized: true },
  bsc: { mainnet: 56, testnet: 97, local: 31_342, confirmations: 64, hasFinalized: true },
  gnosis: { mainnet: 100, testnet: 10_200, local: 31_344, confirmations: 64, hasFinalized: true },
  linea: { mainnet: 59_144, testnet: 59_141, local: 31_345, confirmations: 900, hasFinalized: true },
  celo: { mainnet: 42_220, testnet: 44_787, local: 31_346, confirmations: 900, hasFinalized: true },
  avalanche: { mainnet: 43_114, testnet: 43_113, local: 31_343, confirmations: 64, hasFinalized: true },
};

export function isEvmChain(chain: ChainName): boolean {
  return EVM_CHAINS[chain] !== undefined;
}

/** @throws RangeError for a chain that is none of these */
export function evmChainId(chain: ChainName, network: Vault['network']): number {
  const found = EVM_CHAINS[chain];
  if (found === undefined) throw new RangeError(`${chain} is no EVM chain`);
  return found[network];
}
