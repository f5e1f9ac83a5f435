import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, bytesToNumberBE, concatBytes, hexToBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256, sha3_256 } from '@noble/hashes/sha3.js';

interface PublishedKeys {
  /** Public keys, compressed, in hexadecimal. */
  readonly keys: readonly string[];
  /** Where their private keys, or the words that they are made of, can be read. */
  readonly source: string;
}

/** Numbers so small are private keys that everybody tries. */
const NUMBERS_MAX = 20;

/** On secp256k1. Of the phrases of words: the first accounts, by the path of each chain. */
export const PUBLISHED_SECP256K1: readonly PublishedKeys[] = [
  {
    source: 'https://hardhat.org/hardhat-network/docs/reference, Anvil: "test test … junk", 44/60/0/0/0 to 9',
    keys: [
      '038318535b54105d4a7aae60c08fc45f9687181b4fdfc625bd1a753fa7397fed75',
      '02ba5734d8f7091719471e7f7ed6b9df170dc70cc661ca05e688601ad984f068b0',
      '039d9031e97dd78ff8c15aa86939de9b1e791066a0224e331bc962a2099a7b1f04',
      '0220b871f3ced029e14472ec4ebc3c0448164942b123aa6af91a3386c1c403e0eb',
      '03bf6ee64a8d2fdc551ec8bb9ef862ef6b4bcb1805cdc520c3aa5866c0575fd3b5',
      '0337b84de6947b243626cc8b977bb1f1632610614842468dfa8f35dcbbc55a515e',
      '029a4ab212cb92775d227af4237c20b81f4221e9361d29007dfc16c79186b577cb',
      '0201f2bf1fa920e77a43c7aec2587d0b3814093420cc59a9b3ad66dd5734dda7be',
      '03931e7fda8da226f799f791eefc9afebcd7ae2b1b19a03c5eaa8d72122d9fe74d',
      '023255458e24278e31d5940f304b16300fdff3f6efd3e2a030b5818310ac67af45',
    ],
  },
  {
    source:
      'BIP-39, BIP-44, BIP-49, BIP-84, BIP-86: "abandon abandon … about", first account of coins 0, 2, 3, 60, 118, 144, 145, 195',
    keys: [
      '03aaeb52dd7494c361049de67cc680e83ebcbbbdbeb13637d92cd845f70308af5e',
      '039b3b694b8fc5b5e07fb069c783cac754f5d38c3e08bed1960e31fdb1dda35c24',
      '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
      '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
      '030fe9d8d0e15d432d1ae9b3c52f4cb6e37e3c7a41af0139783da09eab85a182dc',
      '02e49c9b9b5d0f127235dc26a0c252814c52fb333d651a946773f59d72c2da9904',
      '02cc6b0dc33aabcf3a23643e5e2919a80c50fb3dd2129ce409bbc5f0d4643d05e0',
      '0237b0bb7a8288d38ed49a524b5dc98cff3eb5ca824c9f9dc0dfdb3d9cd600f299',
      '024f4e2ad99c34d60b9ba6283c9431a8418af8673212961f97a77b6377fcd05b62',
      '031d68bc1a142e6766b2bdfb006ccfe135ef2e0e2e94abb5cf5c9ab6104776fbae',
      '02bbe7dbcdf8b2261530a867df7180b17a90b482f74f2736b8a30d3f756e42e217',
      '03ff21f8e64d3a3c0198edfbb7afdc79be959432e92e2f8a1984bb436a414b8edc',
    ],
  },
  {
    source: 'https://xrpl.org/docs/concepts/accounts#genesis-account: "masterpassphrase"',
    keys: ['0330e7fc9d56bb25d6893ba3f317ae5bcf33b3291bd63db32654a313222f7fd020'],
  },
];

/** Of Ed25519, and of sr25519, which stands for itself on Polkadot alone. */
export const PUBLISHED_ED25519: readonly PublishedKeys[] = [
  {
    source: 'SLIP-10: "abandon abandon … about", first account of coins 148, 397, 501, 637, 784, 1729',
    keys: [
      '7691d85048acc4ed085d9061ce0948bbdf7de6a92b790aaf241d31b7dcaa4238',
      '5510e2b44cae6eb807e3e0e45d579dda058c274abcba15e5cb84636f5d1ee412',
      'f036276246a75b9de3349ed42b15e232f6518fc20f5fcd4f1d64e81f9bd258f7',
      'e9b6062841bb977ad21de71ec961900633c26f21384e015b014a637a61499547',
      'a686f0309ab80312979606cfccc10ea2740147ae6888351488d11c46f08fbf60',
      '900b4d81eecea3df2f74b14200c4f4cf3f49afaca7a634ffd2cf6ff82bdaecf2',
      '370ffb098088e67f8284ca4938f8f1eac02c3e2ab150f29adc8a7075a5ce7e63',
    ],
  },
  {
    source:
      'https://docs.substrate.io/reference/command-line-tools/subkey: //Alice, //Bob, //Charlie; //Alice of Ed25519',
    keys: [
      'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d',
      '8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48',
      '90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22',
      '88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee',
    ],
  },
];

let accounts: ReadonlySet<string> | null = null;

/**
 * Whether the private key of an account can be read in public: in documentation, in a tool for tests, or because it is a number from 1 to 20 (of Ed25519 a seed from 0 on). Programs wait for such accounts
 * and empty them within seconds. On networks for tries, whose coins are worth nothing, they are what developers pay with. A key or its hash is as good on one chain as on another, so each form of each key is refused on all of them.
 *
 * @param hex the key or hash that the account stands for
 */
export function isPublished(hex: string): boolean {
  accounts ??= new Set([...secp256k1Keys().flatMap(formsOfSecp256k1), ...ed25519Keys().flatMap(formsOfEd25519)]);
  return accounts.has(hex);
}

function secp256k1Keys(): Uint8Array[] {
  const numbers = Array.from({ length: NUMBERS_MAX }, (_, n) => secp256k1.getPublicKey(numbered(n + 1), true));
  return [...numbers, ...PUBLISHED_SECP256K1.flatMap(({ keys }) => keys.map(hexToBytes))];
}

function ed25519Keys(): Uint8Array[] {
  const numbers = Array.from({ length: NUMBERS_MAX + 1 }, (_, n) => ed25519.getPublicKey(numbered(n)));
  return [...numbers, ...PUBLISHED_ED25519.flatMap(({ keys }) => keys.map(hexToBytes))];
}

function numbered(number: number): Uint8Array {
  const key = new Uint8Array(32);
  key[31] = number;
  return key;
}

/**
 * Outputs of Bitcoin and its relatives (BIP-16, BIP-141, BIP-341; of the key, and of the script that asks for its signature alone), accounts of the XRP Ledger and the Cosmos Hub (hash of the compressed key), of EVM and Tron (of
 * Keccak-256 the last 20 bytes), of Tezos (tz2), Sui and Polkadot (BLAKE2b) and Aptos (a single key, AIP-55).
 */
function formsOfSecp256k1(key: Uint8Array): string[] {
  const whole = secp256k1.Point.fromBytes(key).toBytes(false);
  const witness = concatBytes(Uint8Array.of(0, 20), hash160(key));
  const script = concatBytes(Uint8Array.of(0x21), key, Uint8Array.of(0xac));
  const hashes = [hash160(key), hash160(whole), hash160(witness), keccak_256(whole.subarray(1)).subarray(-20)];
  const scripts = [sha256(script), hash160(script), hash160(concatBytes(Uint8Array.of(0, 32), sha256(script)))];
  const blake = [
    blake2b(key, { dkLen: 20 }),
    blake2b(key, { dkLen: 32 }),
    blake2b(concatBytes(Uint8Array.of(1), key), { dkLen: 32 }),
    sha3_256(concatBytes(Uint8Array.of(1, 65), whole, Uint8Array.of(2))),
  ];
  return [...hashes, ...scripts, ...blake, key.subarray(1), taprootOf(key.subarray(1))].map(bytesToHex);
}

/** The key itself (Solana, Stellar, NEAR, Algorand, Polkadot); behind a hash on the XRP Ledger, Sui, Aptos, Tezos and Cardano. TON's accounts are contracts of many versions, and no hash of a key. */
function formsOfEd25519(key: Uint8Array): string[] {
  return [
    key,
    hash160(concatBytes(Uint8Array.of(0xed), key)),
    blake2b(concatBytes(Uint8Array.of(0), key), { dkLen: 32 }),
    sha3_256(concatBytes(key, Uint8Array.of(0))),
    // A single key of Aptos (AIP-55): its kind and length come first, its scheme last.
    sha3_256(concatBytes(Uint8Array.of(0, 32), key, Uint8Array.of(2))),
    blake2b(key, { dkLen: 20 }),
    blake2b(key, { dkLen: 28 }),
  ].map(bytesToHex);
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

/** The output key of a key alone, without scripts (BIP-341, BIP-86). */
function taprootOf(key: Uint8Array): Uint8Array {
  const tweak = bytesToNumberBE(schnorr.utils.taggedHash('TapTweak', key));
  const even = schnorr.utils.lift_x(bytesToNumberBE(key));
  return even.add(secp256k1.Point.BASE.multiply(tweak)).toBytes(true).subarray(1);
}
