import { bytesToHex } from '@noble/curves/utils.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { ChainName } from '../chain-name.ts';

/** An account from which nobody can pay on, or from which anybody can. */
export interface KeylessAccount {
  /** In the form that programs of the chain write it, or the key or hash that it stands for, in hexadecimal. */
  readonly of: string;
  readonly what: string;
  /** Where it says so. */
  readonly source: string;
}

type Listed = readonly [of: string, what: string];

function from(source: string, ...listed: readonly Listed[]): readonly KeylessAccount[] {
  return listed.map(([of, what]) => ({ of, what, source }));
}

/** Scripts without a key: a number that is true or false, and OP_RETURN. */
const SCRIPTS_WITHOUT_KEY = ['00', '6a', ...Array.from({ length: 16 }, (_, n) => (0x51 + n).toString(16))];

/** Outputs of scripts without a key, behind either hash. */
const OUTPUTS = from(
  'Bitcoin Core, src/script/interpreter.cpp; BIP-16, BIP-141, BIP-341',
  ...SCRIPTS_WITHOUT_KEY.flatMap((script): Listed[] => {
    const once = sha256(Buffer.from(script, 'hex'));
    return [
      [bytesToHex(ripemd160(once)), `script ${script}, behind HASH160`],
      [bytesToHex(once), `script ${script}, behind SHA-256`],
    ];
  }),
  [bytesToHex(sha256(new Uint8Array())), 'script of nothing, behind SHA-256'],
  ['4e73', 'pay to anchor, BIP-433: anybody spends it'],
  ['50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0', 'point H of BIP-341, whose secret nobody knows'],
);

const BITCOIN_BURNS = from(
  'https://en.bitcoin.it/wiki/Address, "provably unspendable"; Counterparty, proof of burn',
  ['759d6677091e973b9e9d99f19c68fbf43e3f05f9', '1BitcoinEaterAddressDontSendf59kuE'],
  ['1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E', 'hash of no key at all'],
  ['818895f3dc2c178629d3d2d8fa3ec4a3f8179821', '1CounterpartyXXXXXXXXXXXXXXXUWLpVr'],
);

const BITCOIN = [...OUTPUTS, ...BITCOIN_BURNS];

/** On every EVM chain. Precompiles and numbers are refused by their zeros. */
const EVM = [
  ...from(
    'https://etherscan.io/accounts/label/burn',
    ['0xdEAD000000000000000042069420694206942069', 'burn address'],
    ['0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF', 'burn address'],
    ['0xdEaDDEadDEAddeAdDEaDDEAdDeaddEadDeaddeAd', 'burn address'],
    ['0xdEAD000000000000000000000000000000000000', 'burn address'],
    ['0x00000000000000000000045261D4Ee77acdb3286', 'burn address'],
  ),
  ...from('https://eips.ethereum.org/EIPS/eip-7528', [
    '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
    'stands for the coin itself',
  ]),
  ...from('https://eips.ethereum.org/EIPS/eip-4788', [
    '0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE',
    'who calls of the system are from',
  ]),
  ...from(
    'EIP-4788, EIP-2935, EIP-7002, EIP-7251, EIP-6110',
    ['0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02', 'beacon roots'],
    ['0x0000F90827F1C53a10cb7A02335B175320002935', 'hashes of blocks'],
    ['0x00000961Ef480Eb55e80D19ad83579A64c007002', 'withdrawal requests'],
    ['0x0000BBdDc7CE488642fb579F8B00f3a590007251', 'consolidation requests'],
    ['0x00000000219ab540356cBB839Cbe05303d7705Fa', 'deposits of stake'],
  ),
  ...from('https://github.com/mds1/multicall3, https://github.com/Arachnid/deterministic-deployment-proxy', [
    '0xcA11bde05977b3631167028862bE2a173976CA11',
    'Multicall3',
  ]),
  ...from('https://github.com/Arachnid/deterministic-deployment-proxy', [
    '0x4e59b44847b379578588920cA78FbF26c0B4956C',
    'deploys contracts',
  ]),
];

/** @param pages where an issuer or an explorer lists its contracts */
const tokens = (source: string, ...listed: readonly Listed[]) => from(source, ...listed);
const CIRCLE = 'https://developers.circle.com/stablecoins/usdc-contract-addresses';
const TETHER = 'https://tether.to/en/supported-protocols';

/** The OP Stack, which Optimism, Base and Celo run. Predeploys are refused by `systemRange`. */
const OP_STACK = from(
  'https://specs.optimism.io/protocol/predeploys.html',
  ['0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001', 'who deposits of the system are from'],
  ['0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000', 'the coin as a token'],
);

const MODULES = [
  'auth',
  'bonded_tokens_pool',
  'consumer_rewards_pool',
  'cons_redistribute',
  'cons_to_send_to_provider',
  'crisis',
  'distribution',
  'fee_collector',
  'feemarket',
  'feemarket-fee-collector',
  'gov',
  'icahost',
  'interchainaccounts',
  'liquid',
  'liquidity',
  'mint',
  'nft',
  'not_bonded_tokens_pool',
  'protocolpool',
  'ratelimit',
  'tokenfactory',
  'transfer',
  'wasm',
  'provider',
] as const;

/** Accounts that no key moves, by chain. Addresses are those of the main network unless they say otherwise. */
export const KEYLESS_ACCOUNTS: Readonly<Record<ChainName, readonly KeylessAccount[]>> = {
  exchange: EVM,
  'bitcoin-legacy': BITCOIN,
  'bitcoin-segwit': BITCOIN,
  'bitcoin-taproot': BITCOIN,
  litecoin: BITCOIN,
  dogecoin: [...BITCOIN, ...from('Dogeparty, proof of burn', ['DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr', 'burn address'])],
  'bitcoin-cash': BITCOIN,
  ethereum: [
    ...EVM,
    ...tokens(CIRCLE, ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC']),
    ...tokens(TETHER, ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT']),
    ...tokens(
      'https://etherscan.io/tokens',
      ['0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'WETH'],
      ['0x6B175474E89094C44Da98b954EedeAC495271d0F', 'DAI'],
      ['0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'WBTC'],
    ),
  ],
  arbitrum: [
    ...EVM,
    ...from('https://docs.arbitrum.io/build-decentralized-apps/precompiles/reference', [
      '0xA4b05FffffFffFFFFfFFfffFfffFFfffFfFfFFFf',
      'who blocks of the system are from',
    ]),
    ...tokens(CIRCLE, ['0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC']),
    ...tokens(
      'https://arbiscan.io/tokens',
      ['0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 'USDT'],
      ['0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8', 'USDC.e'],
      ['0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', 'WETH'],
    ),
  ],
  optimism: [
    ...EVM,
    ...OP_STACK,
    ...tokens(CIRCLE, ['0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 'USDC']),
    ...tokens('https://optimistic.etherscan.io/tokens', ['0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', 'USDT']),
  ],
  base: [...EVM, ...OP_STACK, ...tokens(CIRCLE, ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC'])],
  polygon: [
    ...EVM,
    ...tokens(CIRCLE, ['0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USDC']),
    ...tokens(
      'https://polygonscan.com/tokens',
      ['0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', 'USDC.e'],
      ['0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 'USDT'],
      ['0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', 'WPOL'],
    ),
  ],
  bsc: [
    ...EVM,
    ...tokens(
      'https://bscscan.com/tokens',
      ['0x55d398326f99059fF775485246999027B3197955', 'USDT'],
      ['0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 'USDC'],
      ['0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', 'WBNB'],
    ),
  ],
  gnosis: [
    ...EVM,
    ...tokens(
      'https://gnosisscan.io/tokens',
      ['0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d', 'WXDAI'],
      ['0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83', 'USDC'],
    ),
  ],
  linea: [...EVM, ...tokens(CIRCLE, ['0x176211869cA2b568f2A7D4EE941E073a821EE1ff', 'USDC'])],
  celo: [
    ...EVM,
    ...OP_STACK,
    ...tokens(CIRCLE, ['0xcebA9300f2b948710d2653dD7B07f33A8B32118C', 'USDC']),
    ...tokens(
      'https://docs.celo.org/contracts/core-contracts',
      ['0x471EcE3750Da237f93B8E339c536989b8978a438', 'CELO'],
      ['0x765DE816845861e75A25fCA122bb6898B8B1282a', 'cUSD'],
    ),
  ],
  avalanche: [
    ...EVM,
    ...tokens(CIRCLE, ['0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'USDC']),
    ...tokens(
      'https://snowtrace.io/tokens',
      ['0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', 'USDT'],
      ['0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7', 'WAVAX'],
    ),
  ],
  solana: [
    ...from(
      'https://docs.anza.xyz/runtime/programs, https://docs.anza.xyz/runtime/sysvars',
      ['11111111111111111111111111111111', 'system program'],
      ['1nc1nerator11111111111111111111111111111111', 'burns what it has'],
      ['ComputeBudget111111111111111111111111111111', 'program'],
      ['Config1111111111111111111111111111111111111', 'program'],
      ['Stake11111111111111111111111111111111111111', 'program'],
      ['StakeConfig11111111111111111111111111111111', 'program'],
      ['Vote111111111111111111111111111111111111111', 'program'],
      ['Feature111111111111111111111111111111111111', 'program'],
      ['AddressLookupTab1e1111111111111111111111111', 'program'],
      ['NativeLoader1111111111111111111111111111111', 'program'],
      ['BPFLoader1111111111111111111111111111111111', 'program'],
      ['BPFLoader2111111111111111111111111111111111', 'program'],
      ['BPFLoaderUpgradeab1e11111111111111111111111', 'program'],
      ['LoaderV411111111111111111111111111111111111', 'program'],
      ['Ed25519SigVerify111111111111111111111111111', 'program'],
      ['KeccakSecp256k11111111111111111111111111111', 'program'],
      ['Secp256r1SigVerify1111111111111111111111111', 'program'],
      ['ZkTokenProof1111111111111111111111111111111', 'program'],
      ['ZkE1Gama1Proof11111111111111111111111111111', 'program'],
      ['Sysvar1111111111111111111111111111111111111', 'owner of sysvars'],
      ['SysvarC1ock11111111111111111111111111111111', 'sysvar'],
      ['SysvarEpochRewards1111111111111111111111111', 'sysvar'],
      ['SysvarEpochSchedu1e111111111111111111111111', 'sysvar'],
      ['SysvarFees111111111111111111111111111111111', 'sysvar'],
      ['Sysvar1nstructions1111111111111111111111111', 'sysvar'],
      ['SysvarLastRestartS1ot1111111111111111111111', 'sysvar'],
      ['SysvarRecentB1ockHashes11111111111111111111', 'sysvar'],
      ['SysvarRent111111111111111111111111111111111', 'sysvar'],
      ['SysvarRewards111111111111111111111111111111', 'sysvar'],
      ['SysvarS1otHashes111111111111111111111111111', 'sysvar'],
      ['SysvarS1otHistory11111111111111111111111111', 'sysvar'],
      ['SysvarStakeHistory1111111111111111111111111', 'sysvar'],
    ),
    ...from(
      'https://www.solana-program.com/docs',
      ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'token program'],
      ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 'token program'],
      ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', 'program of token accounts'],
      ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'memo program'],
      ['Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', 'memo program'],
      ['So11111111111111111111111111111111111111112', 'mint of wrapped SOL'],
      ['metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s', 'program of metadata'],
    ),
    ...tokens(CIRCLE, ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC']),
    ...tokens(TETHER, ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT']),
  ],
  cosmos: from(
    'cosmos-sdk, x/auth/types: NewModuleAddress; cosmos/gaia, app/modules.go',
    ...MODULES.map((name): Listed => [bytesToHex(sha256(Buffer.from(name)).subarray(0, 20)), `module ${name}`]),
  ),
  polkadot: [],
  ton: from(
    'https://docs.ton.org/v3/documentation/network/configs/blockchain-configs, https://tether.to/en/supported-protocols',
    ['3'.repeat(64), 'elector'],
    ['5'.repeat(64), 'configuration'],
    ['b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe', 'USDT'],
  ),
  xrpl: from(
    'https://xrpl.org/docs/concepts/accounts/addresses#special-addresses',
    ['rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'ACCOUNT_ZERO'],
    ['rrrrrrrrrrrrrrrrrrrrBZbvji', 'ACCOUNT_ONE'],
    ['rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'reservation of names'],
    ['rrrrrrrrrrrrrrrrrrrn5RM1rHd', 'NaN address'],
  ),
  tron: [
    ...from(
      'https://developers.tron.network/docs/faq, java-tron, config.conf: genesis.block.assets, Blackhole',
      ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'zero address'],
      ['TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', 'black hole'],
    ),
    ...tokens(TETHER, ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT']),
    ...tokens('https://tronscan.org/#/tokens/list', ['TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8', 'USDC']),
  ],
  stellar: from('https://github.com/stellar/js-stellar-base, SEP-23', [
    'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
    'key of zeros',
  ]),
  algorand: from(
    'https://developer.algorand.org/docs/get-details/accounts/#special-accounts',
    ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ', 'zero address'],
    ['Y76M3MSY6DKBRHBL7C3NNDXGS5IIMQVQVUAB6MP4XEMMGVF2QWNPL226CA', 'fee sink'],
    ['737777777777777777777777777777777777777777777777777UFEJ2CI', 'pool of rewards'],
    ['A7NMWS3NT3IUDMLVO26ULGXGIIOUQ3ND2TXSER6EBGRZNOBOUIQXHIBGDE', 'fee sink of the test network'],
    ['7777777777777777777777777777777777777777777777777774MSJUVU', 'pool of rewards of the test network'],
  ),
  near: from(
    'https://docs.near.org/protocol/account-id, https://nearblocks.io/tokens',
    ['system', 'the protocol itself'],
    ['wrap.near', 'token'],
    ['usdt.tether-token.near', 'token'],
    ['17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1', 'token'],
    ['a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.factory.bridge.near', 'token'],
    ['dac17f958d2ee523a2206206994597c13d831ec7.factory.bridge.near', 'token'],
  ),
  sui: from(CIRCLE, ['0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7', 'package of USDC']),
  tezos: [
    ...from('https://tzkt.io/tz1burnburnburnburnburnburnburjAYjjX', [
      'tz1burnburnburnburnburnburnburjAYjjX',
      'burn address',
    ]),
    ...from('https://tzkt.io/tz1Ke2h7sDdakHJQh8WX4Z372du1KChsksyU', [
      'tz1Ke2h7sDdakHJQh8WX4Z372du1KChsksyU',
      'hash of zeros',
    ]),
  ],
  aptos: [
    ...tokens(CIRCLE, ['0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b', 'USDC']),
    ...tokens(TETHER, ['0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b', 'USDT']),
  ],
  cardano: from('https://cexplorer.io, label of burn addresses', [
    'addr1w8qmxkacjdffxah0l3qg8hq2pmvs58q8lcy42zy9kda2ylc6dy5r4',
    'a script that always fails',
  ]),
};

/** First bytes of accounts that modules of Polkadot's runtime and its parachains have (`PalletId`, `ParaId`), in hexadecimal: `modl`, `para`, `sibl`. */
export const POLKADOT_MODULES: readonly string[] = ['6d6f646c', '70617261', '7369626c'];

/**
 * Ranges in which a chain of EVM has its own contracts, by their digits. OP Stack: 2,048 predeploys. Avalanche: stateful precompiles of Subnet-EVM, and the coin's black hole, whose digits before
 * and after the zeros are a number each.
 */
export const SYSTEM_RANGES: Readonly<Partial<Record<ChainName, RegExp>>> = {
  optimism: /^420{34}0[0-7][0-9a-f]{2}$/,
  base: /^420{34}0[0-7][0-9a-f]{2}$/,
  celo: /^420{34}0[0-7][0-9a-f]{2}$/,
  avalanche: /^0[0-9a-f]0{34}[0-9a-f]{4}$/,
};
