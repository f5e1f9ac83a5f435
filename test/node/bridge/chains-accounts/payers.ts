import { ed25519 } from '@noble/curves/ed25519.js';
import { StrKey } from '@stellar/stellar-base';
import { Address } from '@ton/core';
import { encodeAddress } from 'algosdk';
import { addressFrom } from '../../../../domain/bridge/chains/solana/solana-programs.ts';

const key = (fill: number) => ed25519.getPublicKey(new Uint8Array(32).fill(fill));
const stellarAccount = (fill: number) => StrKey.encodeEd25519PublicKey(Buffer.from(key(fill)));
const tonAccount = (fill: number) => new Address(0, Buffer.from(key(fill))).toString({ bounceable: false });

/** Of chains that tell who pays: whose deposits the nodes in memory make unless they are told otherwise, and somebody else. */
export const PAYERS = {
  xrpl: { payer: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', stranger: 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq' },
  stellar: { payer: stellarAccount(100), stranger: stellarAccount(101) },
  cosmos: {
    payer: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
    stranger: 'cosmos1vqpjljwsynsn58dugz0w8ut7kun7t8ls2qkmsq',
  },
  solana: { payer: addressFrom(key(100)), stranger: addressFrom(key(101)) },
  ton: { payer: tonAccount(100), stranger: tonAccount(101) },
  algorand: { payer: encodeAddress(key(100)), stranger: encodeAddress(key(101)) },
  sui: { payer: `0x${'c5'.repeat(31)}5e`, stranger: `0x${'d6'.repeat(31)}5e` },
  tezos: { payer: 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb', stranger: 'tz1aSkwEot3L2kmUvcoxzjMomb9mvBNuzFK6' },
} as const;
