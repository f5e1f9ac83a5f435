import { expect, test, vi } from 'vitest';
import { PlainMemory } from './plain-memory.fixtures.ts';
import { SealedMemory } from './sealed-memory.ts';

// A ceremony takes half a second, and several of that where everything runs at once.
vi.setConfig({ testTimeout: 400_000 });

const SECRET = new Uint8Array(32).fill(7);
const ACME = { organization: 'acme', signer: 1 };

function kept(): PlainMemory {
  const disk = new PlainMemory();
  const memory = new SealedMemory(disk, SECRET, ACME);
  memory.write([
    { kind: 'key', id: 'frost-taproot/ab/1', text: 'the share of one' },
    { kind: 'key', id: 'frost-taproot/ab/2', text: 'the share of two' },
  ]);
  return disk;
}

test('a record is read again by its signer, and stands nowhere in clear', () => {
  const disk = kept();
  const memory = new SealedMemory(disk, SECRET, ACME);
  expect(memory.read('key', 'frost-taproot/ab/1')).toBe('the share of one');
  expect(memory.read('key', 'frost-taproot/ab/3')).toBeNull();
  expect(memory.ids('key')).toHaveLength(2);
  for (const text of disk.records.values())
    expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('share');
  memory.write([{ kind: 'key', id: 'frost-taproot/ab/1', text: null }]);
  expect(disk.records.size).toBe(1);
});

test.each([
  ['another secret', new Uint8Array(32).fill(8), ACME],
  ['another organization', SECRET, { ...ACME, organization: 'other' }],
  ['another signer', SECRET, { ...ACME, signer: 2 }],
])('a record is shut to %s', (_, secret, owner) => {
  expect(() => new SealedMemory(kept(), secret, owner).read('key', 'frost-taproot/ab/1')).toThrow();
});

test('a record that was changed, or put in the place of another generation, scheme or kind, does not open', () => {
  const disk = kept();
  const memory = new SealedMemory(disk, SECRET, ACME);
  const one = disk.read('key', 'frost-taproot/ab/1') ?? '';
  for (const [kind, id] of [
    ['key', 'frost-taproot/ab/2'],
    ['key', 'frost-ed25519/ab/1'],
    ['session', 'frost-taproot/ab/1'],
  ] as const) {
    disk.write([{ kind, id, text: one }]);
    expect(() => memory.read(kind, id)).toThrow();
  }
  const bytes = Buffer.from(one, 'base64');
  for (const place of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    disk.write([{ kind: 'key', id: 'frost-taproot/ab/1', text: changed.toString('base64') }]);
    expect(() => memory.read('key', 'frost-taproot/ab/1')).toThrow();
  }
});

test('a secret that is too short is none', () => {
  expect(() => new SealedMemory(new PlainMemory(), new Uint8Array(31), ACME)).toThrow(RangeError);
});
