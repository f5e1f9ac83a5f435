import { bytesToHex } from '@noble/curves/utils.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, createBase58check } from '@scure/base';
import { StrKey } from '@stellar/stellar-base';
import { Address as TonAddress } from '@ton/core';
import { Address as AlgorandAddress } from 'algosdk';
import { classicAddressToXAddress, encodeAccountID } from 'ripple-address-codec';
import { describe, expect, test, vi } from 'vitest';
import { addressOf as utxoAddress, utxoNetwork } from '../../../domain/bridge/chains/bitcoin/utxo-script.ts';
import type { PaymentOrder, Vault } from '../../../domain/bridge/chains/chain-adapter.ts';
import { CHAIN_NAMES, type ChainName } from '../../../domain/bridge/chains/chain-name.ts';
import { isEvmChain } from '../../../domain/bridge/chains/evm/evm-chains.ts';
import { loadAdapter } from '../../../domain/bridge/chains/load-adapter.ts';
import { KEYLESS_ACCOUNTS } from '../../../domain/bridge/chains/payees/keyless-accounts.ts';
import { polkadotAddress } from '../../../domain/bridge/chains/polkadot/polkadot-payment.ts';
import { addressFrom } from '../../../domain/bridge/chains/solana/solana-programs.ts';
import { tronAddressOf } from '../../../domain/bridge/chains/tron/tron-address.ts';

// The first use of each adapter loads its libraries.
vi.setConfig({ testTimeout: 400_000 });

const UTXO_CHAINS = CHAIN_NAMES.filter((chain) => chain.startsWith('bitcoin') || /^(litecoin|dogecoin)$/.test(chain));
const EVM_CHAINS = CHAIN_NAMES.filter(isEvmChain);
const base58 = createBase58check((data: Uint8Array) => sha256(data));

/** Points of Ed25519 that any signature counts for: each order, and encodings that strict readers refuse. */
const SMALL_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `${'00'.repeat(31)}80`,
  `01${'00'.repeat(30)}80`,
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
].map((hex) => Buffer.from(hex, 'hex'));
/** Not on the curve: nobody signs for it. */
const NO_POINT = Buffer.alloc(32, 2);

const p2pkh = (hash: string) => Buffer.from(`76a914${hash}88ac`, 'hex');
const p2sh = (hash: string) => Buffer.from(`a914${hash}87`, 'hex');
const zeros = (bytes: number, last = 0) => Buffer.from([...Array<number>(bytes - 1).fill(0), last]);

function utxoText(chain: ChainName, script: Uint8Array): string {
  return utxoAddress(script, utxoNetwork({ chain, network: 'mainnet' }));
}

/** More of each kind than the table lists, by chain. */
function keyless(chain: ChainName): readonly string[] {
  if (UTXO_CHAINS.includes(chain)) {
    const scripts = ['00', '51', '60', '6a'].map((script) => sha256(Buffer.from(script, 'hex')));
    const hashes = [...scripts.map((once) => bytesToHex(ripemd160(once))), '00'.repeat(20), `${'00'.repeat(19)}01`];
    return hashes.flatMap((hash) => [utxoText(chain, p2pkh(hash)), utxoText(chain, p2sh(hash))]);
  }
  if (isEvmChain(chain))
    return [
      `0x${'0'.repeat(40)}`,
      `0x${'0'.repeat(39)}1`,
      `0x${'0'.repeat(37)}100`,
      `0x${'0'.repeat(36)}dead`,
      '0x000000000000000000000000000000000000dEaD',
      '0xDEAD000000000000000042069420694206942069',
      `0x${'f'.repeat(40)}`,
    ];
  switch (chain) {
    case 'solana':
      return [...SMALL_ORDER.slice(0, 2), NO_POINT].map((bytes) => addressFrom(bytes));
    case 'stellar':
      return [...SMALL_ORDER, NO_POINT].map((bytes) => StrKey.encodeEd25519PublicKey(bytes));
    case 'algorand':
      return SMALL_ORDER.map((bytes) => new AlgorandAddress(bytes).toString());
    case 'near':
      return [...SMALL_ORDER, NO_POINT].map((bytes) => bytes.toString('hex'));
    case 'polkadot':
      return [
        ...SMALL_ORDER,
        // Treasury, a parachain's account here, and one on another parachain.
        Buffer.from(`6d6f646c70792f7472737279${'00'.repeat(20)}`, 'hex'),
        Buffer.from(`70617261e8030000${'00'.repeat(24)}`, 'hex'),
        Buffer.from(`7369626ce8030000${'00'.repeat(24)}`, 'hex'),
      ].map((bytes) => polkadotAddress(bytes.toString('hex'), 'mainnet'));
    case 'xrpl': {
      const accounts = [zeros(20), zeros(20, 1), zeros(20, 200)].map((bytes) => encodeAccountID(bytes));
      return [...accounts, ...accounts.map((account) => classicAddressToXAddress(account, 7, false))];
    }
    case 'ton':
      return [zeros(32), zeros(32, 1), Buffer.alloc(32, 0xff), Buffer.alloc(32, 0x33), Buffer.alloc(32, 0x55)].flatMap(
        (hash) => [true, false].map((bounceable) => new TonAddress(0, hash).toString({ bounceable })),
      );
    case 'sui':
    case 'aptos':
      return [0, 1, 2, 5, 6, 8, 10, 0xdead].map((n) => `0x${n.toString(16).padStart(64, '0')}`);
    case 'tezos':
      return [
        [6, 161, 159],
        [6, 161, 161],
        [6, 161, 164],
        [6, 161, 166],
      ].map((prefix) => base58.encode(Uint8Array.from([...prefix, ...zeros(20)])));
    case 'cosmos':
      return [zeros(20), zeros(32), zeros(20, 1)].map((bytes) => bech32.encode('cosmos', bech32.toWords(bytes)));
    case 'tron':
      return [zeros(20), zeros(20, 1), zeros(20, 9)].map((bytes) => tronAddressOf(`41${bytes.toString('hex')}`));
    case 'cardano':
      return [0x61, 0x71].map((header) =>
        bech32.encode('addr', bech32.toWords(Uint8Array.from([header, ...zeros(28)])), 120),
      );
    default:
      throw new Error(`no cases of ${chain}`);
  }
}

/** Somebody has the key of each. */
const GOOD: Readonly<Record<ChainName, readonly string[]>> = {
  ...(Object.fromEntries(
    EVM_CHAINS.map((chain) => [
      chain,
      [
        '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
        '0x0000000000a39bb272e79075ade125fd351887ac',
      ],
    ]),
  ) as unknown as Record<ChainName, readonly string[]>),
  'bitcoin-legacy': ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  'bitcoin-segwit': ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  'bitcoin-taproot': ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  litecoin: ['LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'],
  dogecoin: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  'bitcoin-cash': ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  solana: ['vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg'],
  cosmos: ['cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq'],
  polkadot: ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  ton: ['EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2'],
  xrpl: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq'],
  tron: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
  stellar: ['GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  algorand: ['7ZUECA7HFLZTXENRV24SHLU4AVPUTMTTDUFUBNBD64C73F3UHRTHAIOF6Q'],
  near: ['alice.near', '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de', 'aaaaaaaaaaaaaaaa.near'],
  sui: ['0x02a212de6a9dfa3a69e22387acfbafbb1a9e591bd9d636e7895dcfc8de05f331'],
  tezos: ['tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'],
  aptos: ['0x978c213990c4833df71548df7ce49d54c759d6b6d932de22b24d56060b7af2aa'],
  cardano: ['addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x'],
};

describe.each(CHAIN_NAMES)('B-09: on %s', (chain) => {
  test('no account that nobody signs for is a destination, however it is written', async () => {
    const { addressOf } = await loadAdapter(chain);
    for (const text of keyless(chain)) expect([text, addressOf(text, 'mainnet')]).toEqual([text, null]);
  });

  test('no account that the table names is a destination, and each entry has its source', async () => {
    const { addressOf } = await loadAdapter(chain);
    for (const { of, what, source } of KEYLESS_ACCOUNTS[chain]) {
      expect([of, addressOf(of, 'mainnet')]).toEqual([of, null]);
      expect([what.length > 0, source.length > 10]).toEqual([true, true]);
    }
  });

  test('addresses of somebody stay destinations', async () => {
    const { addressOf } = await loadAdapter(chain);
    for (const text of GOOD[chain])
      expect([text, addressOf(text, 'mainnet')?.toLowerCase()]).toEqual([text, text.toLowerCase()]);
  });
});

test('B-09: what anybody may spend on Bitcoin is no destination on any of its networks', async () => {
  const { addressOf } = await loadAdapter('bitcoin-taproot');
  const program = (version: number, bytes: Uint8Array, prefix: string) =>
    bech32.encode(prefix, [version, ...bech32.toWords(bytes)], 90);
  for (const [network, text] of [
    ['mainnet', 'bc1pfeessrawgf'],
    ['testnet', 'tb1pfees9rn5nz'],
    ['local', 'bcrt1pfeesnyr2tx'],
    ['mainnet', program(0, sha256(Buffer.from('51', 'hex')), 'bc')],
    ['mainnet', program(0, sha256(new Uint8Array()), 'bc')],
    ['mainnet', program(0, zeros(20), 'bc')],
    ['mainnet', program(0, zeros(32), 'bc')],
    ['mainnet', 'bc1sw50qgdz25j'],
    ['mainnet', '1BitcoinEaterAddressDontSendf59kuE'],
    ['mainnet', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr'],
    ['mainnet', '1111111111111111111114oLvT2'],
    ['mainnet', '1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E'],
    ['mainnet', '3MaB7QVq3k4pQx3BhsvEADgzQonLSBwMdj'],
  ] as const)
    expect([text, addressOf(text, network)]).toEqual([text, null]);
});

test('B-09: no address of SegWit is one of a chain that has no SegWit', async () => {
  for (const chain of ['dogecoin', 'bitcoin-cash'] as const)
    for (const prefix of ['none', 'bc', 'doge', 'd', '1'])
      for (const network of ['mainnet', 'testnet', 'local'] as const) {
        const text = bech32.encode(prefix, [0, ...bech32.toWords(Buffer.alloc(20, 7))], 90);
        const { addressOf } = await loadAdapter(chain);
        expect([text, addressOf(text, network)]).toEqual([text, null]);
      }
});

test('B-09: contracts of a rollup’s or a subnet’s own system are no destinations', async () => {
  for (const [chain, text] of [
    ['optimism', '0x4200000000000000000000000000000000000006'],
    ['base', '0x4200000000000000000000000000000000000016'],
    ['celo', '0x42000000000000000000000000000000000007ff'],
    ['avalanche', '0x0100000000000000000000000000000000000000'],
    ['avalanche', '0x0200000000000000000000000000000000000005'],
    ['arbitrum', '0x0000000000000000000000000000000000000064'],
    ['polygon', '0x0000000000000000000000000000000000001010'],
    ['bsc', '0x0000000000000000000000000000000000001000'],
  ] as const)
    expect([text, (await loadAdapter(chain)).addressOf(text, 'mainnet')]).toEqual([text, null]);
  expect(
    (await loadAdapter('ethereum')).addressOf('0x4200000000000000000000000000000000000006', 'mainnet'),
  ).not.toBeNull();
});

test('B-09: text that a person has chosen is no destination', async () => {
  for (const [chain, text] of [
    ['dogecoin', 'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr'],
    ['tezos', 'tz1burnburnburnburnburnburnburjAYjjX'],
    ['xrpl', 'rrrrrrrrrrrrrrrrrNAMEtxvNvQ'],
    ['solana', '1nc1nerator11111111111111111111111111111111'],
    ['near', 'system'],
  ] as const)
    expect([text, (await loadAdapter(chain)).addressOf(text, 'mainnet')]).toEqual([text, null]);
});

test('B-09: a signer builds no payment to an account that nobody signs for', async () => {
  const vault: Vault = {
    chain: 'ethereum',
    network: 'mainnet',
    keys: { scheme: 'frost-secp256k1', groupKey: `02${'11'.repeat(32)}`, signerKeys: [] },
    contract: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    token: null,
    decimals: 18,
  };
  const order: PaymentOrder = {
    kind: 'payout',
    commitment: '5a'.repeat(32),
    reference: `0x${'11'.repeat(32)}@1`,
    to: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    amount: '5',
  };
  const { build } = await loadAdapter('ethereum');
  expect(build(vault, order).messages).toHaveLength(1);
  for (const to of keyless('ethereum')) expect(() => build(vault, { ...order, to }), to).toThrow(RangeError);
});
