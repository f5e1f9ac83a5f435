import { cardano } from '../../../../domain/bridge/chains/cardano/cardano.ts';
import { cardanoAddress } from '../../../../domain/bridge/chains/cardano/cardano-key.ts';
import { PRICES_MAX } from '../../../../domain/bridge/chains/cardano/cardano-reference.ts';
import type { Vault } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { CardanoChain } from '../chains-utxo/cardano-chain.ts';
import type { LiarChain } from './liar-chain.ts';

const POLICY = '0b0d621b5c26d0a1fd0893a4b04c19d860296a69ede1fbcfc5179882';
const NAME = '4e46542d303031';
const TOKEN = `${POLICY}.${NAME}`;
const UNIT = `${POLICY}${NAME}`;
const ADA = 1_000_000n;
/** Of the few inputs that payments have here. */
const BYTES_MAX = 2_000n;
const PAYEES = [
  'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
  'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
] as const;

/** Cardano: each token has an address of its own, and carries coins along. */
export const CARDANO: LiarChain = {
  name: 'cardano',
  adapter: cardano,
  open(keys) {
    const shared = { chain: 'cardano', network: 'mainnet', keys, contract: null, decimals: 6 } as const;
    const vaults: readonly [Vault, Vault] = [
      { ...shared, token: null },
      { ...shared, token: TOKEN },
    ];
    const node = new CardanoChain();
    const [coin, token] = vaults;
    for (const share of [100n, 100n, 40n]) {
      node.pay(cardanoAddress(coin, null), { lovelace: share * ADA });
      node.pay(cardanoAddress(token, null), { lovelace: share * ADA, [UNIT]: share * ADA });
    }
    const settle = () => node.mine(cardano.confirmations);
    settle();
    return {
      vaults,
      transport: node.transport,
      relayer: null,
      payees: PAYEES,
      payer: PAYEES[1],
      amounts: [130n * ADA, 20n * ADA, ADA, 1n],
      async held(commitments) {
        const addresses = vaults.flatMap((vault) => [null, ...commitments].map((each) => cardanoAddress(vault, each)));
        const each = [...new Set(addresses)].map((address) => node.balance(address));
        const sum = (unit: string) => each.reduce((total, held) => total + (held[unit] ?? 0n), 0n);
        return { '': sum('lovelace'), [TOKEN]: sum(UNIT) };
      },
      payIn({ token: of }, { address }, amount) {
        node.pay(address, of === null ? { lovelace: amount } : { lovelace: 2n * ADA, [UNIT]: amount });
      },
      settle,
      shallow: { mine: () => node.mine(), reorganize: () => node.rollBack(cardano.confirmations - 1) },
      alongMax: 250n * BigInt(PRICES_MAX.coinsPerByte),
      ceiling({ token: of }, { kind }) {
        if (kind === 'refund' && of === null) return 0n;
        return BigInt(PRICES_MAX.feeFixed) + BigInt(PRICES_MAX.feePerByte) * BYTES_MAX;
      },
    };
  },
};
