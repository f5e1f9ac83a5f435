import { ed25519 } from '@noble/curves/ed25519.js';
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
import { tezosAddressOf } from '../../../domain/bridge/chains/tezos/tezos-payment.ts';
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
  'bitcoin-segwit': ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
  'bitcoin-taproot': ['bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297'],
  litecoin: ['LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'],
  dogecoin: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  'bitcoin-cash': ['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  solana: ['vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg'],
  cosmos: ['cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq'],
  polkadot: ['16ZL8yLyXv3V3L3z9ofR1ovFLziyXaN1DPq4yffMAZ9czzBD'],
  ton: ['EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2'],
  xrpl: ['rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq'],
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

test('B-09: an account whose key everybody can read is no destination', async () => {
  const accounts: readonly (readonly [ChainName, readonly string[]])[] = [
    [
      'bitcoin-legacy',
      [
        '1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm',
        '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH',
        '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN',
        '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA',
      ],
    ],
    [
      'bitcoin-segwit',
      [
        'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
        // Of BIP-173 as well: the script of its key.
        'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
      ],
    ],
    [
      'bitcoin-taproot',
      [
        'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
        'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      ],
    ],
    [
      'ethereum',
      [
        '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf',
        '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      ],
    ],
    ['tron', ['TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC']],
    ['xrpl', ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh']],
    ['solana', ['HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk', addressFrom(ed25519.getPublicKey(zeros(32)))]],
    ['stellar', ['GB3JDWCQJCWMJ3IILWIGDTQJJC5567PGVEVXSCVPEQOTDN64VJBDQBYX']],
    ['near', [bytesToHex(ed25519.getPublicKey(zeros(32, 1)))]],
    ['polkadot', ['15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5']],
    [
      'sui',
      [
        '0x5e93a736d04fbb25737aa40bee40171ef79f65fae833749e3c089fe7cc2161f1',
        '0xd4c3524e6642b2e54945c02378024f822ac3f80b0870a5f95f06e68a61890a6c',
      ],
    ],
    ['aptos', ['0xeb663b681209e7087d681c5d3eed12aaa8e1915e7c87794542c3f96e94b3d3bf']],
    ['tezos', [tezosAddressOf(bytesToHex(ed25519.getPublicKey(zeros(32, 2)))), 'tz2BCeQSi5ETyKJsob61pWCoQvoGtsrJBEt2']],
  ];
  for (const [chain, texts] of accounts) {
    const { addressOf } = await loadAdapter(chain);
    for (const text of texts) expect([text, addressOf(text, 'mainnet')]).toEqual([text, null]);
  }
  const anvil = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  const { addressOf } = await loadAdapter('ethereum');
  for (const network of ['testnet', 'local'] as const) expect(addressOf(anvil, network)).toBe(anvil);
});

test('B-09: hexadecimal that a person has chosen is no destination', async () => {
  for (const chain of ['ethereum', 'near', 'sui', 'aptos'] as const) {
    const { addressOf } = await loadAdapter(chain);
    const [prefix, parts] = chain === 'near' ? ['', 8] : ['0x', chain === 'ethereum' ? 5 : 8];
    for (const part of ['11111111', 'aaaaaaaa', 'a5a5a5a5', '12341234', 'deadbeef']) {
      const text = `${prefix}${part.repeat(parts)}`;
      expect([text, addressOf(text, 'mainnet')]).toEqual([text, null]);
    }
    const found = `${prefix}${'11111111'.repeat(parts - 1)}1111115a`;
    if (chain !== 'near') expect([found, addressOf(found, 'mainnet')?.toLowerCase()]).toEqual([found, found]);
  }
  const { addressOf } = await loadAdapter('base');
  for (const digits of ['0123456789', '1234567890']) expect(addressOf(`0x${digits.repeat(4)}`, 'mainnet')).toBeNull();
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
