import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';

/** A program of others that judges a chain's transactions, and the test that has it judge those of our adapter. */
export interface MachineOfChain {
  /** As npm names it. */
  readonly program: string;
  /** Under test/node/bridge. */
  readonly test: string;
}

const bitcoin = (program: string): MachineOfChain => ({ program, test: 'machines/bitcoin.test.ts' });
const evm: MachineOfChain = { program: '@foundry-rs/anvil', test: 'machines/evm.test.ts' };

/** Null where npm carries none: what simulates the chain is ours. The tables of docs/design/bridge are held against this one, and each test against its part of it. */
export const MACHINES: Readonly<Record<ChainName, MachineOfChain | null>> = {
  // Wrapped tokens are minted and burnt.
  exchange: { ...evm, test: 'evm-adapter.test.ts' },
  'bitcoin-legacy': bitcoin('bitcore-lib'),
  'bitcoin-segwit': bitcoin('bitcore-lib'),
  'bitcoin-taproot': bitcoin('bitcore-lib'),
  litecoin: bitcoin('bitcore-lib-ltc'),
  dogecoin: bitcoin('bitcore-lib-doge'),
  'bitcoin-cash': bitcoin('@bitauth/libauth'),
  ethereum: evm,
  arbitrum: evm,
  optimism: evm,
  base: evm,
  polygon: evm,
  bsc: evm,
  gnosis: evm,
  linea: evm,
  celo: evm,
  avalanche: evm,
  solana: { program: 'litesvm', test: 'machines/solana.test.ts' },
  ton: { program: '@ton/sandbox', test: 'machines/ton.test.ts' },
  cardano: { program: '@cardananium/cquisitor-lib', test: 'machines/cardano.test.ts' },
  cosmos: null,
  polkadot: null,
  xrpl: null,
  tron: null,
  stellar: null,
  algorand: null,
  near: null,
  sui: null,
  tezos: null,
  aptos: null,
};
