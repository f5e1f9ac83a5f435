import { createHash } from 'node:crypto';
import { toBech32 } from '@cosmjs/encoding';
import { ed25519 } from '@noble/curves/ed25519.js';
import { AccountId } from '@polkadot-api/substrate-bindings';
import { StrKey } from '@stellar/stellar-base';
import { Address } from '@ton/core';
import { encodeAddress } from 'algosdk';
import { algorand } from '../../../../domain/bridge/chains/algorand/algorand.ts';
import { FEE_MAX as ALGORAND_FEE_MAX } from '../../../../domain/bridge/chains/algorand/algorand-payment.ts';
import { aptos } from '../../../../domain/bridge/chains/aptos/aptos.ts';
import {
  UNIT_PRICE_MAX as APTOS_UNIT_PRICE_MAX,
  aptosAddressOf,
  GAS_MAX,
} from '../../../../domain/bridge/chains/aptos/aptos-payment.ts';
import type { ChainAdapter, PaymentOrder, Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import { cosmos } from '../../../../domain/bridge/chains/cosmos/cosmos.ts';
import { FEE_MAX as COSMOS_FEE_MAX } from '../../../../domain/bridge/chains/cosmos/cosmos-payment.ts';
import { near } from '../../../../domain/bridge/chains/near/near.ts';
import { TRANSFER_FEE as NEAR_FEE } from '../../../../domain/bridge/chains/near/near-payment.ts';
import { polkadot } from '../../../../domain/bridge/chains/polkadot/polkadot.ts';
import {
  TRANSFER_FEE as POLKADOT_FEE,
  polkadotAddress,
} from '../../../../domain/bridge/chains/polkadot/polkadot-payment.ts';
import { refundsFromDeposit } from '../../../../domain/bridge/chains/refunds-from-deposit.ts';
import { solana } from '../../../../domain/bridge/chains/solana/solana.ts';
import {
  COMPUTE_UNITS,
  SIGNATURE_FEE,
  UNIT_PRICE_MAX,
} from '../../../../domain/bridge/chains/solana/solana-message.ts';
import { addressFrom } from '../../../../domain/bridge/chains/solana/solana-programs.ts';
import { stellar } from '../../../../domain/bridge/chains/stellar/stellar.ts';
import { FEE_MAX as STELLAR_FEE_MAX } from '../../../../domain/bridge/chains/stellar/stellar-payment.ts';
import { sui } from '../../../../domain/bridge/chains/sui/sui.ts';
import { GAS_BUDGET, suiAddressOf } from '../../../../domain/bridge/chains/sui/sui-payment.ts';
import { tezos } from '../../../../domain/bridge/chains/tezos/tezos.ts';
import { TRANSFER_FEE as TEZOS_FEE, tezosAddressOf } from '../../../../domain/bridge/chains/tezos/tezos-payment.ts';
import { ton } from '../../../../domain/bridge/chains/ton/ton.ts';
import { tron } from '../../../../domain/bridge/chains/tron/tron.ts';
import { tronHexOfKey } from '../../../../domain/bridge/chains/tron/tron-address.ts';
import { xrpl } from '../../../../domain/bridge/chains/xrpl/xrpl.ts';
import { FEE_MAX as XRPL_FEE_MAX } from '../../../../domain/bridge/chains/xrpl/xrpl-payment.ts';
import { algorandNode } from '../chains-accounts/algorand-node.ts';
import { aptosNode } from '../chains-accounts/aptos-node.ts';
import { cosmosNode } from '../chains-accounts/cosmos-node.ts';
import type { SimulatedNode } from '../chains-accounts/describe-chain.ts';
import { nearNode } from '../chains-accounts/near-node.ts';
import { placeAt } from '../chains-accounts/place-at.ts';
import { polkadotNode } from '../chains-accounts/polkadot-node.ts';
import { solanaNode } from '../chains-accounts/solana-node.ts';
import { stellarNode } from '../chains-accounts/stellar-node.ts';
import { suiNode } from '../chains-accounts/sui-node.ts';
import { tezosNode } from '../chains-accounts/tezos-node.ts';
import { tonNode } from '../chains-accounts/ton-node.ts';
import { hexOf, tronNode } from '../chains-accounts/tron-node.ts';
import { xrplNode } from '../chains-accounts/xrpl-node.ts';
import type { LiarChain } from './liar-chain.ts';

/** A chain whose vault is an account. */
interface AccountChain {
  readonly chain: ChainName;
  readonly adapter: ChainAdapter;
  readonly decimals: number;
  /** A token that lies in the same account, where the chain has some; its decimals. */
  readonly token: { readonly name: string; readonly decimals: number } | null;
  node(payees: readonly string[], vault: Vault): SimulatedNode;
  /** The vault's account, where it does not follow from its keys. */
  readonly contract?: string;
  /** Whose payments in count, where the chain tells who pays. */
  readonly payer?: string;
  /** The vault's own account, where places to pay in are others. */
  home?(groupKey: string): string;
  readonly payees: readonly [string, string];
  readonly relayer?: string;
  /** The most, an ordinary amount, a small one, one unit. */
  readonly amounts: readonly bigint[];
  readonly funds: bigint;
  /** The most that a payment costs, and how many times that what cancels it does. */
  readonly feeMax: bigint;
  readonly cancelFactor: bigint;
  /** Coins that go along with a token at most. */
  readonly alongMax?: bigint;
}

const XRPL_ISSUER = 'rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B';
const STELLAR_ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const IBC = 'ibc/F663521BF1836B00F5F177680F74BFB9A8B5654A694D0D2BC249E03CF2509013';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const TRON_PAYER = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC';
const ALGORAND_ASSET = 31_566_704n;
const RELAYER = `0x${'11'.repeat(32)}`;

const stellarAccount = (seed: number) =>
  StrKey.encodeEd25519PublicKey(Buffer.from(ed25519.getPublicKey(new Uint8Array(32).fill(seed))));
const solanaWallet = (seed: number) => addressFrom(ed25519.getPublicKey(new Uint8Array(32).fill(seed)));
const tonAccount = (fill: number) => new Address(0, Buffer.alloc(32, fill)).toString({ bounceable: false });
const algorandAccount = (fill: number) => encodeAddress(new Uint8Array(32).fill(fill));
const polkadotAccount = (fill: number) => AccountId(0).dec(new Uint8Array(32).fill(fill));
/** None that a person could have written. */
const moveAccount = (name: string) => `0x${createHash('sha256').update(name).digest('hex')}`;

const CHAINS: readonly AccountChain[] = [
  {
    chain: 'xrpl',
    adapter: xrpl,
    decimals: 6,
    token: { name: `USD.${XRPL_ISSUER}`, decimals: 6 },
    node: () => xrplNode({ currency: 'USD', issuer: XRPL_ISSUER }),
    payees: ['rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq'],
    amounts: [4_000_000n, 1_000_000n, 1_000n, 1n],
    funds: 100_000_000n,
    feeMax: XRPL_FEE_MAX,
    cancelFactor: 10n,
  },
  {
    chain: 'stellar',
    adapter: stellar,
    decimals: 7,
    token: { name: `USDC:${STELLAR_ISSUER}`, decimals: 7 },
    node(payees) {
      const node = stellarNode({ code: 'USDC', issuer: STELLAR_ISSUER });
      for (const payee of payees) node.fund(payee, 0n);
      return node;
    },
    payees: [stellarAccount(1), stellarAccount(2)],
    amounts: [40_000_000n, 10_000_000n, 1_000n, 1n],
    funds: 1_000_000_000n,
    feeMax: STELLAR_FEE_MAX,
    cancelFactor: 10n,
  },
  {
    chain: 'cosmos',
    adapter: cosmos,
    decimals: 6,
    token: { name: IBC, decimals: 6 },
    node: () => cosmosNode(IBC),
    payees: [
      'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
      toBech32(
        'cosmos',
        new Uint8Array(20).map((_, index) => index * 7 + 3),
      ),
    ],
    amounts: [400_000n, 100_000n, 1_000n, 1n],
    funds: 100_000_000n,
    feeMax: COSMOS_FEE_MAX,
    cancelFactor: 5n,
  },
  {
    chain: 'solana',
    adapter: solana,
    decimals: 9,
    token: { name: MINT, decimals: 6 },
    node() {
      const node = solanaNode(MINT);
      node.fundSol(addressFrom(ed25519.getPublicKey(Buffer.from('11'.repeat(32), 'hex'))), 100_000_000n);
      return node;
    },
    home: (groupKey) => addressFrom(Buffer.from(groupKey, 'hex')),
    payees: [solanaWallet(1), solanaWallet(2)],
    relayer: RELAYER,
    amounts: [100_000_000n, 10_000_000n, 1_000n, 10n],
    funds: 1_000_000_000n,
    // Of a token account that the payee has not had.
    alongMax: 2_039_280n,
    feeMax: SIGNATURE_FEE + (UNIT_PRICE_MAX * BigInt(COMPUTE_UNITS)) / 1_000_000n,
    cancelFactor: 1n,
  },
  {
    chain: 'algorand',
    adapter: algorand,
    decimals: 6,
    token: { name: String(ALGORAND_ASSET), decimals: 6 },
    node: () => algorandNode(ALGORAND_ASSET),
    payees: [algorandAccount(1), algorandAccount(2)],
    amounts: [4_000_000n, 1_000_000n, 1_000n, 1n],
    funds: 20_000_000n,
    feeMax: ALGORAND_FEE_MAX,
    cancelFactor: 1n,
  },
  {
    chain: 'ton',
    adapter: ton,
    decimals: 9,
    token: null,
    node: () => tonNode(),
    payees: [tonAccount(1), tonAccount(2)],
    amounts: [5_000_000_000n, 1_000_000_000n, 1_000n, 10n],
    funds: 20_000_000_000n,
    // The wallet pays what gas costs: an order states none.
    feeMax: 5_000_000n,
    cancelFactor: 1n,
  },
  {
    chain: 'near',
    adapter: near,
    decimals: 24,
    token: null,
    node(payees) {
      const node = nearNode();
      for (const payee of payees) node.fund(payee, 0n);
      return node;
    },
    home: (groupKey) => groupKey,
    payees: ['bob.near', 'carol.near'],
    amounts: [50n * 10n ** 24n, 10n ** 24n, 10n ** 20n, 10n ** 16n],
    funds: 200n * 10n ** 24n,
    feeMax: NEAR_FEE,
    cancelFactor: 1n,
  },
  {
    chain: 'polkadot',
    adapter: polkadot,
    decimals: 10,
    token: null,
    node: () => polkadotNode(),
    home: (groupKey) => polkadotAddress(groupKey, 'mainnet'),
    payees: [polkadotAccount(1), polkadotAccount(2)],
    amounts: [500_000_000_000n, 50_000_000_000n, 100_000n, 100n],
    funds: 2_000_000_000_000n,
    feeMax: POLKADOT_FEE,
    cancelFactor: 1n,
  },
  {
    chain: 'aptos',
    adapter: aptos,
    decimals: 8,
    token: null,
    node: () => aptosNode(),
    home: aptosAddressOf,
    payees: [moveAccount('one'), moveAccount('other')],
    amounts: [50_000_000n, 20_000_000n, 1_000n, 1n],
    funds: 200_000_000n,
    feeMax: GAS_MAX * APTOS_UNIT_PRICE_MAX,
    cancelFactor: 1n,
  },
  {
    chain: 'sui',
    adapter: sui,
    decimals: 9,
    token: null,
    node: () => suiNode(),
    home: suiAddressOf,
    payees: [moveAccount('one'), moveAccount('other')],
    amounts: [50_000_000_000n, 20_000_000_000n, 1_000n, 10n],
    funds: 200_000_000_000n,
    feeMax: GAS_BUDGET,
    cancelFactor: 1n,
  },
  {
    chain: 'tezos',
    adapter: tezos,
    decimals: 6,
    token: null,
    node: () => tezosNode(),
    home: tezosAddressOf,
    payees: ['tz1aSkwEot3L2kmUvcoxzjMomb9mvBNuzFK6', tezosAddressOf('07'.repeat(32))],
    amounts: [50_000_000n, 20_000_000n, 1_000n, 1n],
    funds: 200_000_000n,
    feeMax: TEZOS_FEE,
    cancelFactor: 1n,
  },
  {
    chain: 'tron',
    adapter: tron,
    decimals: 6,
    token: { name: USDT, decimals: 6 },
    node: (_, vault) => tronNode(vault, vault.keys.signerKeys.map(tronHexOfKey), hexOf(TRON_PAYER)),
    contract: 'TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g',
    payer: TRON_PAYER,
    payees: ['THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV', 'TW1dU4L3eNm7Lw8WvieLKEHpXWAussRG9Z'],
    amounts: [20_000_000n, 5_000_000n, 1_000n, 1n],
    funds: 100_000_000n,
    // Bandwidth, three signatures, a memo and a new account; energy of a token's call.
    feeMax: 16_000_000n,
    cancelFactor: 1n,
  },
];

/** Chains of which the vault is an account, by the names that they have there. */
export const ACCOUNT_CHAINS: readonly LiarChain[] = CHAINS.map((own): LiarChain => {
  const { chain, adapter, decimals, token, payees, funds, feeMax, cancelFactor } = own;
  return {
    name: chain,
    adapter,
    open(keys, isEmpty = false) {
      const shared = { chain, network: 'mainnet', keys, contract: own.contract ?? null } as const;
      const coin: Vault = { ...shared, token: null, decimals };
      const vaults: [Vault, ...Vault[]] =
        token === null ? [coin] : [coin, { ...shared, token: token.name, decimals: token.decimals }];
      const node = own.node(payees, vaults.at(-1) ?? coin);
      const place = (commitment: string) => placeAt(adapter, coin, commitment, '1000000000').address;
      const home = own.contract ?? own.home?.(keys.groupKey) ?? place('00'.repeat(32));
      if (!isEmpty) node.fund(home, funds);
      const placesOf = (commitments: readonly string[]) =>
        refundsFromDeposit(coin) ? [home, ...commitments.map(place)] : [home];
      const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
      return {
        vaults,
        transport: node.transport,
        relayer: own.relayer ?? null,
        payees,
        payer: own.payer ?? payees[1],
        amounts: own.amounts,
        async held(commitments) {
          const places = placesOf(commitments);
          const coins = sum(places.map((address) => (node.coins ?? node.balance)(address)));
          if (token === null) return { '': coins };
          return { '': coins, [token.name]: node.balance(home) };
        },
        payIn: (_, at, amount) => node.deposit(at, amount),
        settle: () => node.finalize(),
        ...(own.alongMax === undefined ? {} : { alongMax: own.alongMax }),
        ceiling(vault, { kind }: PaymentOrder) {
          // What goes back out of its own deposit pays its fee itself.
          if (kind === 'refund' && refundsFromDeposit(vault)) return 0n;
          return feeMax * (kind === 'cancel' ? cancelFactor : 1n);
        },
      };
    },
  };
});
