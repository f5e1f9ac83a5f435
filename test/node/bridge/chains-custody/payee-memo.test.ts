import { StrKey } from '@stellar/stellar-base';
import { encodeAddress } from 'algosdk';
import { decodeAccountID, encodeXAddress } from 'ripple-address-codec';
import { expect, it } from 'vitest';
import {
  type ChainTransport,
  type PaymentOrder,
  RpcRefusal,
  type Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../../domain/bridge/chains/chain-calls.ts';
import type { ChainName } from '../../../../domain/bridge/chains/chain-name.ts';
import type { TransferRequest } from '../../../../domain/bridge/chains/custody/transfer-request.ts';
import { COMMITMENT } from '../chains-accounts/describe-chain.ts';
import { multisigCluster } from '../chains-accounts/multisig-cluster.ts';

const cluster = multisigCluster();
const STELLAR = StrKey.encodeEd25519PublicKey(Buffer.alloc(32, 1));
const XRPL = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';

const vaultOn = (chain: ChainName): Vault => ({
  chain,
  network: 'mainnet',
  keys: cluster.keys,
  contract: null,
  token: null,
  decimals: 6,
  custody: { provider: 'fireblocks', account: '7', asset: 'ASSET' },
});

/** A provider at which one transaction stands, or none. */
function providerOf(standing: object | null) {
  const get = async (path: string) => {
    if (path.includes('external_tx_id')) {
      if (standing === null) throw new RpcRefusal(404, 'unknown');
      return { ...standing, externalTxId: path.split('/').at(-1) };
    }
    return { available: '1000' };
  };
  const transport: ChainTransport = { rpc: async () => null, get, post: async () => null };
  const transportOf = () => {
    throw new Error('the chain has no node here');
  };
  return chainCalls({ transportOf, custodyOf: () => transport, relayer: null });
}

async function orderOf(vault: Vault, to: string, memo?: string): Promise<PaymentOrder> {
  const stated = { kind: 'payout', commitment: COMMITMENT, to, amount: '5', ...(memo && { memo }) } as const;
  const found = await providerOf(null).referenceFor(vault, { ...stated, attempt: 1 }, { taken: [], deposited: [] });
  return { ...stated, reference: found ?? '' };
}

it.each([
  ['xrpl', XRPL, '12345', '12345', '12346'],
  ['cosmos', 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6', '104562', '104562', '1'],
  ['algorand', encodeAddress(new Uint8Array(32).fill(1)), 'note 7', 'note 7', 'note 8'],
  ['stellar', STELLAR, 'text:104562', '104562', 'text:1'],
] as const)(
  'B-08: three of five approve of the tag that a payment on %s carries, and it is paid with that alone',
  async (chain, to, memo, tag, other) => {
    const vault = vaultOn(chain);
    const chains = providerOf(null);
    expect(await chains.payeeMemoFault(vault, { address: to, memo })).toBeNull();
    const order = await orderOf(vault, to, memo);
    const unsigned = await chains.build(vault, order);
    const { raw } = await chains.complete(vault, order, cluster.sign(unsigned));
    const { destination } = JSON.parse(raw) as TransferRequest;
    expect(destination).toEqual({ type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address: to, tag } });
    const changed = { ...order, memo: other };
    await expect(chains.complete(vault, changed, cluster.sign(unsigned))).rejects.toThrow(RangeError);
    const { memo: _, ...bare } = order;
    await expect(chains.complete(vault, bare, cluster.sign(unsigned))).rejects.toThrow(RangeError);
    const standing = {
      id: '1',
      status: 'COMPLETED',
      assetId: 'ASSET',
      source: { type: 'VAULT_ACCOUNT', id: '7' },
      destination: { type: 'ONE_TIME_ADDRESS', id: null },
      destinationAddress: to,
      amountInfo: { amount: '0.000005' },
      numOfConfirmations: 9,
      createdAt: 1,
    };
    expect(await providerOf({ ...standing, destinationTag: tag }).statusOf(vault, order)).toMatchObject({
      state: 'paid',
    });
    for (const destinationTag of ['', 'another', null])
      await expect(providerOf({ ...standing, destinationTag }).statusOf(vault, order)).rejects.toThrow(
        'another payment',
      );
  },
);

it.each([
  ['stellar', STELLAR, 'id:12'],
  ['stellar', STELLAR, `hash:${'ab'.repeat(32)}`],
  ['xrpl', XRPL, '4294967296'],
  ['xrpl', encodeXAddress(decodeAccountID(XRPL), 7, false), '12'],
  ['bitcoin-segwit', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', '12'],
] as const)('B-08: a memo that the provider does not take is refused: %s %s %s', async (chain, to, memo) => {
  const vault = vaultOn(chain);
  expect(await providerOf(null).payeeMemoFault(vault, { address: to, memo })).not.toBeNull();
  await expect(orderOf(vault, to, memo)).rejects.toThrow(RangeError);
});
