import type { Vault } from './chain-adapter.ts';
import { CHAINS_OF_OUTPUTS, type ChainName } from './chain-name.ts';
import { isEvmChain } from './evm/evm-chains.ts';
import type { PayoutCost } from './payout-cost.ts';

/** Gas that a payment is quoted with, and given at most: 160,550 was measured for the first mint of a day, 150,512 for a release of a plain token (test/node/bridge/gas-snapshot.json), and tokens behind a proxy take some 30,000 more. */
export const EVM_PAYOUT_GAS = 200_000n;

interface OwnCoin {
  readonly decimals: number;
  /** At most, of a payout of the coin: the highest fee that an adapter builds, where there is one. */
  readonly coin: bigint;
  /** The same of a token: with the account that is opened for the payee, or the coins that have to come along. */
  readonly token: bigint;
  /** What the chain lets an account have at least that is opened by the payout. */
  readonly least?: bigint;
}

/** Of EVM chains and chains of outputs the adapter says what it costs at the moment. */
const OWN_COINS: Readonly<Partial<Record<ChainName, OwnCoin>>> = {
  // A signature and its priority; a wallet that is new keeps 890,880 lamports, a token account 2,039,280.
  solana: { decimals: 9, coin: 1_000_000n, token: 3_100_000n, least: 890_880n },
  cosmos: { decimals: 6, coin: 100_000n, token: 100_000n },
  // An account keeps 0.01 DOT on Asset Hub.
  polkadot: { decimals: 10, coin: 500_000_000n, token: 500_000_000n, least: 100_000_000n },
  ton: { decimals: 9, coin: 50_000_000n, token: 50_000_000n },
  // The reserve of an account: an XRP.
  xrpl: { decimals: 6, coin: 20_000n, token: 20_000n, least: 1_000_000n },
  // Some 130,000 of energy at 210 sun, burned.
  tron: { decimals: 6, coin: 30_000_000n, token: 30_000_000n },
  // Two reserves of half a lumen.
  stellar: { decimals: 7, coin: 100_000n, token: 100_000n, least: 10_000_000n },
  // An account keeps 0.1 algo.
  algorand: { decimals: 6, coin: 20_000n, token: 20_000n, least: 100_000n },
  near: { decimals: 24, coin: 10n ** 21n, token: 10n ** 21n },
  sui: { decimals: 9, coin: 20_000_000n, token: 20_000_000n },
  // An account that holds nothing yet burns 64,250 mutez.
  tezos: { decimals: 6, coin: 170_000n, token: 170_000n },
  aptos: { decimals: 8, coin: 5_000_000n, token: 5_000_000n },
  // An output keeps about an ADA, one of a token with a long name up to 1.5.
  cardano: { decimals: 6, coin: 400_000n, token: 1_900_000n, least: 1_000_000n },
};

const EVM_DECIMALS = 18;
const OUTPUTS_DECIMALS = 8;

/** Decimals of a chain's own coin. */
export function coinDecimals(chain: ChainName): number {
  if (isEvmChain(chain)) return EVM_DECIMALS;
  if (CHAINS_OF_OUTPUTS.includes(chain)) return OUTPUTS_DECIMALS;
  const known = OWN_COINS[chain];
  if (known === undefined) throw new RangeError(`nobody knows the coin of ${chain}`);
  return known.decimals;
}

/** What a payout costs at most on chains whose fees the adapter bounds. */
export function boundedPayoutCost({ chain, token }: Pick<Vault, 'chain' | 'token'>): PayoutCost {
  const { coin = 0n, token: ofToken = 0n, least = 0n } = OWN_COINS[chain] ?? {};
  const cost = token === null ? coin : ofToken;
  return { cost: String(cost), least: String(token === null ? least : 0n), decimals: coinDecimals(chain) };
}
