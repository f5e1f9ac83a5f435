import { expect, test } from 'vitest';
import { sha256, toHex } from './bytes.ts';
import { blsKeyGen, memberSecrets } from './member-secrets.ts';

const SEED = Uint8Array.from({ length: 32 }, (_, at) => at);

test('KeyGen of BLS12-381 gives the master keys of EIP-2333, test cases 0 and 1', () => {
  const master = (ikm: string) => BigInt(`0x${toHex(blsKeyGen(Buffer.from(ikm, 'hex')))}`);
  expect(
    master(
      'c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04',
    ),
  ).toBe(6083874454709270928345386274498605044986640685124978867557563392430687146096n);
  expect(master('3141592653589793238462643383279502884197169399375105820974944592')).toBe(
    29757020647961307431480504535336562678282505419141012933316116377660817309383n,
  );
});

test('kind, epoch, member and seed each give another secret, and the same ones the same', () => {
  const other = SEED.with(31, 0);
  const all = [
    memberSecrets(SEED, 1, 0),
    memberSecrets(SEED, 2, 0),
    memberSecrets(SEED, 1, 1),
    memberSecrets(other, 1, 0),
  ];
  const secrets = all.flatMap(({ ed25519, bls, mlDsa }) => [ed25519, bls, mlDsa]);
  expect(secrets.every(({ length }) => length === 32)).toBe(true);
  expect(new Set(secrets.map(toHex)).size).toBe(12);
  expect(memberSecrets(SEED, 1, 0)).toEqual(all[0]);
});

test('the secrets of a seed stay what they are', () => {
  const { ed25519, bls, mlDsa } = memberSecrets(SEED, 1, 0);
  expect(toHex(sha256(ed25519, bls, mlDsa))).toBe('622cddf0bcc48d33c7afaa55a5af62f1286753eefb26c6e7f92f805d320c7a2f');
});

test('a seed has 32 bytes', () => {
  expect(() => memberSecrets(SEED.slice(1), 1, 0)).toThrow(RangeError);
});
