import { describe, expect, test } from 'vitest';
import type { ChainTransport, SigningScheme, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { chainCalls } from '../../../domain/bridge/chains/chain-calls.ts';
import { CHAIN_NAMES, type ChainName, EXCHANGE_CHAIN } from '../../../domain/bridge/chains/chain-name.ts';
import { clusterKeysFault } from '../../../domain/bridge/chains/cluster-keys-fault.ts';
import { evmChainId, isEvmChain } from '../../../domain/bridge/chains/evm/evm-chains.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';
import { coinDecimals } from '../../../domain/bridge/chains/payout-costs.ts';
import { networkFault } from '../../../domain/bridge/places/network-fault.ts';
import { vaultFault } from '../../../domain/bridge/places/vault-fault.ts';
import { frostCluster } from '../../node/bridge/chains-accounts/frost-cluster.ts';
import { multisigCluster } from '../../node/bridge/chains-accounts/multisig-cluster.ts';

const G = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const CONTRACT = `0x${'11'.repeat(20)}`;
const TOKEN = `0x${'22'.repeat(20)}`;
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TRON_TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

const KEYS: Readonly<Record<SigningScheme, Vault['keys']>> = {
  'frost-secp256k1': { scheme: 'frost-secp256k1', groupKey: G, signerKeys: [] },
  'frost-taproot': { scheme: 'frost-taproot', groupKey: G.slice(2), signerKeys: [] },
  'frost-ed25519': frostCluster().keys,
  'multisig-secp256k1': multisigCluster().keys,
};
const CHAINS = CHAIN_NAMES.filter((chain) => chain !== EXCHANGE_CHAIN);
const DECIMALS_CALL = '0x313ce567';
const word = (value: number) => String(value).padStart(64, '0');

/** A node that says what each chain says of a token of six decimals, and of a contract of the bridge. */
const node = (chain: ChainName): ChainTransport => ({
  async rpc(method, params) {
    if (method === 'eth_chainId') return `0x${evmChainId(chain, 'mainnet').toString(16)}`;
    if (method === 'eth_call') {
      const [{ to, data }] = params as [{ to: string; data: string }];
      const isOfToken = data === DECIMALS_CALL;
      if (to.toLowerCase() !== (isOfToken ? TOKEN : CONTRACT)) return '0x';
      return `0x${word(isOfToken ? 6 : 1)}`;
    }
    if (method !== 'getAccountInfo') throw new Error(`nobody asks for ${method}`);
    const [mint] = params as [string];
    const data = { parsed: { type: mint === MINT ? 'mint' : 'account', info: { decimals: 6 } } };
    return { value: { owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', data } };
  },
  get: async () => ({ params: { decimals: 6 } }),
  post: async () => ({ result: { result: true }, constant_result: [word(6)] }),
});
const calls = (transportOf: (chain: ChainName) => ChainTransport) =>
  chainCalls({
    transportOf,
    custodyOf: () => {
      throw new Error('no custody');
    },
    relayer: null,
  });
const { readPlace } = calls(node);
/** Of a place that is refused without asking. */
const deaf = calls(() => {
  throw new Error('there is no node');
});

async function vaultOf(chain: ChainName, change: Partial<Vault> = {}): Promise<Vault> {
  const keys = KEYS[(await loadAdapter(chain)).scheme];
  const contract = isEvmChain(chain) ? CONTRACT : chain === 'tron' ? TRON_TOKEN : null;
  return { chain, network: 'mainnet', keys, contract, token: null, decimals: coinDecimals(chain), ...change };
}

describe('B-06: an operator who states a vault', () => {
  test.each(CHAINS)('has the decimals of the own coin of %s right, or is refused', async (chain) => {
    const right = await vaultOf(chain);
    expect(vaultFault(right)).toBeNull();
    for (const decimals of [right.decimals - 1, right.decimals + 1, 2])
      expect(vaultFault({ ...right, decimals })).toContain('decimals');
    expect(await readPlace(right)).toEqual({ fault: null, isTold: true });
  });

  test.each(CHAINS)('names keys of the scheme of %s, and none that are no points', async (chain) => {
    const right = await vaultOf(chain);
    const fieldOf = async (keys: Vault['keys']) => (await deaf.readPlace({ ...right, keys })).fault?.field;
    for (const keys of Object.values(KEYS))
      if (keys.scheme !== right.keys.scheme) expect(await fieldOf(keys)).toBe('place.keys');
    const { groupKey, signerKeys } = right.keys;
    const broken =
      groupKey === '' ? { signerKeys: signerKeys.map(() => `02${'00'.repeat(32)}`) } : { groupKey: groupKey.slice(2) };
    expect(await fieldOf({ ...right.keys, ...broken })).toBe('place.keys');
  });

  test('has no key that is everybody’s, no point, or twice the same', () => {
    const everybody = `01${'00'.repeat(31)}`;
    for (const groupKey of [everybody, '00'])
      expect(clusterKeysFault({ scheme: 'frost-ed25519', groupKey, signerKeys: [] })).not.toBeNull();
    expect(clusterKeysFault({ scheme: 'frost-taproot', groupKey: 'ff'.repeat(32), signerKeys: [] })).not.toBeNull();
    const five = KEYS['multisig-secp256k1'];
    expect(clusterKeysFault(five)).toBeNull();
    const [one = ''] = five.signerKeys;
    expect(clusterKeysFault({ ...five, signerKeys: [one, ...five.signerKeys.slice(0, 4)] })).toContain('same key');
  });

  test.each([
    ['base', 'neither'],
    ['solana', 'not a mint'],
    ['xrpl', 'not a token at all'],
    ['xrpl', 'USD.rNobody'],
    ['stellar', 'USDC'],
    ['algorand', 'USDC'],
    ['cosmos', 'no denomination'],
    ['cardano', 'zz.00'],
    ['tron', 'neither'],
  ] as const)('names no token of %s that is none: %s', async (chain, token) => {
    expect((await deaf.readPlace(await vaultOf(chain, { token, decimals: 6 }))).fault).not.toBeNull();
  });

  test.each([
    ['base', TOKEN],
    ['solana', MINT],
    ['algorand', '31566704'],
    ['tron', TRON_TOKEN],
  ] as const)('has the decimals that the token on %s says itself', async (chain, token) => {
    expect(await readPlace(await vaultOf(chain, { token, decimals: 6 }))).toEqual({ fault: null, isTold: true });
    for (const decimals of [2, 5, 7, 18])
      expect((await readPlace(await vaultOf(chain, { token, decimals }))).fault?.field).toBe('place.decimals');
  });

  test('has seven decimals of every asset of Stellar', async () => {
    const token = `USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN`;
    expect(await deaf.readPlace(await vaultOf('stellar', { token, decimals: 7 }))).toEqual({
      fault: null,
      isTold: true,
    });
    const six = await deaf.readPlace(await vaultOf('stellar', { token, decimals: 6 }));
    expect(six.fault?.field).toBe('place.decimals');
  });

  test('is told apart where the chain says no decimals of a token', async () => {
    const told = async (chain: ChainName, token: string) => readPlace(await vaultOf(chain, { token, decimals: 6 }));
    const unread = { fault: null, isTold: false };
    expect(await told('xrpl', 'USD.rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B')).toEqual(unread);
    expect(await told('cardano', `${'ab'.repeat(28)}.555344`)).toEqual(unread);
    expect(await told('cosmos', `ibc/${'AB'.repeat(32)}`)).toEqual(unread);
    const custody = { provider: 'p', account: '7', asset: 'BTC' };
    const keys = KEYS['multisig-secp256k1'];
    expect(await deaf.readPlace(await vaultOf('bitcoin-segwit', { custody, keys }))).toEqual(unread);
  });

  test('names a contract of the bridge, by a node of the stated network, and a token that is there', async () => {
    const fieldOf = async (change: Partial<Vault>) => (await readPlace(await vaultOf('base', change))).fault?.field;
    expect(await fieldOf({ contract: 'not an address' })).toBe('place.contract');
    expect(await fieldOf({ contract: TOKEN })).toBe('place.contract');
    expect(await fieldOf({ network: 'testnet' })).toBe('place.contract');
    expect(await fieldOf({ token: CONTRACT, decimals: 6 })).toBe('place.token');
    expect(await fieldOf({ token: `0x${'00'.repeat(20)}`, decimals: 6 })).toBe('place.decimals');
  });

  test('is not taken at its word where the chain is away', async () => {
    await expect(deaf.readPlace(await vaultOf('base'))).rejects.toThrow('no node');
    await expect(deaf.readPlace(await vaultOf('solana', { token: MINT, decimals: 6 }))).rejects.toThrow('no node');
  });

  test('states no chain of a machine’s own outside the local environment', () => {
    for (const environment of ['staging', 'production', '']) expect(networkFault('local', environment)).not.toBeNull();
    expect(networkFault('local', 'local')).toBeNull();
    for (const network of ['mainnet', 'testnet'] as const) expect(networkFault(network, 'production')).toBeNull();
  });
});
