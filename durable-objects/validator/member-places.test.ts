import { afterEach, expect, test, vi } from 'vitest';
import { COMMITTEE_SIZE } from '../../domain/consensus/committee.ts';
import { hostedMember, hostedPlaces, memberPlaces } from './api.ts';

afterEach(() => vi.unstubAllGlobals());

const [one, other] = ['https://one.example', 'https://other.example/member'];
const MEMBERS = JSON.stringify(Array.from({ length: COMMITTEE_SIZE }, (_, member) => (member === 0 ? one : other)));

/** What members in processes are asked with: address and token. */
function heard(): string[] {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: URL, { headers }: { headers: Record<string, string> }) => {
    calls.push(`${url} ${headers.authorization}`);
    return Response.json('a'.repeat(64));
  });
  return calls;
}

test('each process is shown its own token where each has one, and the one of all where they share it', async () => {
  const calls = heard();
  const tokens = JSON.stringify({ [one]: 'first', [other]: 'second' });
  for (const token of [tokens, 'shared']) {
    const env = { CONSENSUS_MEMBERS: MEMBERS, CONSENSUS_MEMBER_TOKEN: token };
    for (const member of [0, 1]) await hostedMember(env, member).publicKey(1);
  }
  expect(calls).toEqual([
    `${one}/v1/publicKey Bearer first`,
    `${other}/v1/publicKey Bearer second`,
    `${one}/v1/publicKey Bearer shared`,
    `${other}/v1/publicKey Bearer shared`,
  ]);
});

test('where nobody is stated, or a word that is none, there are no members', () => {
  for (const members of ['', 'embeded', 'object', '[]'])
    expect(() => memberPlaces({ CONSENSUS_MEMBERS: members }), members).toThrow();
  expect(memberPlaces({ CONSENSUS_MEMBERS: 'objects' })).toEqual(Array(COMMITTEE_SIZE).fill('object'));
});

test('no process is shown the tokens of others, or one that is not its own', () => {
  const calls = heard();
  for (const tokens of [{}, { [one]: 'first' }, { [`${other}/`]: 'second' }]) {
    const env = { CONSENSUS_MEMBERS: MEMBERS, CONSENSUS_MEMBER_TOKEN: JSON.stringify(tokens) };
    expect(() => hostedMember(env, 1)).toThrow(`CONSENSUS_MEMBER_TOKEN has none of ${other}`);
  }
  for (const wrong of ['{', '{"https://one.example":1}'])
    expect(() => hostedMember({ CONSENSUS_MEMBERS: MEMBERS, CONSENSUS_MEMBER_TOKEN: wrong }, 1)).toThrow();
  expect(calls).toEqual([]);
});

test('an object that was replaced has a name of its own, and another text is no place', () => {
  const names: string[] = [];
  const VALIDATOR = { getByName: (name: string) => names.push(name) };
  const places: string[] = Array(COMMITTEE_SIZE).fill('object').with(3, 'object:3b');
  const env = { VALIDATOR, CONSENSUS_MEMBERS: JSON.stringify(places) };
  for (const member of [3, 4]) hostedMember(env, member);
  expect(names).toEqual(['3b', '4']);
  // Published as what they are: all of them are the venue's own.
  expect(hostedPlaces(env)).toBe('objects');
  expect(hostedPlaces({ CONSENSUS_MEMBERS: JSON.stringify(places.with(4, one)) })).toBe('places');
  expect(memberPlaces({ CONSENSUS_MEMBERS: 'objects' })).toEqual(Array(COMMITTEE_SIZE).fill('object'));
  for (const wrong of ['object:', 'object:A', 'objects', 'ftp://one.example'])
    expect(() => memberPlaces({ CONSENSUS_MEMBERS: JSON.stringify(places.with(3, wrong)) })).toThrow();
  expect(() => memberPlaces({ CONSENSUS_MEMBERS: JSON.stringify(places.slice(1)) })).toThrow();
});
