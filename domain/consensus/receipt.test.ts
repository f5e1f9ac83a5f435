import { expect, test } from 'vitest';
import { blockOf, receiptOf, SigningCommittee, settlement } from './chain.fixtures.ts';
import { verifyEd25519 } from './ed25519.ts';
import { type Receipt, receiptFault } from './receipt.ts';

const signing = await SigningCommittee.of();
const records = [1, 2, 3, 4, 5].map(settlement);
const first = blockOf(signing.hash, null, records);
const second = blockOf(signing.hash, first.header, [settlement(6)]);
const third = blockOf(signing.hash, second.header, [settlement(7)]);
const receipt = await receiptOf(signing, records, 3, [first.header, second.header, third.header]);

test('a receipt proves by itself that its trade stands in a final block, be it under a later block’s certificate', async () => {
  expect(await receiptFault(receipt, verifyEd25519)).toBeNull();
  for (const index of records.keys())
    expect(await receiptFault(await receiptOf(signing, records, index, [first.header]), verifyEd25519)).toBeNull();
});

test.each(places(receipt))('what is changed at %s is found', async (path) => {
  const fault = await receiptFault(changedAt(receipt, path.split('.')) as Receipt, verifyEd25519);
  expect(fault, path).toMatch(/^(committee|headers|parties|inclusion|certificate): /);
});

test('what is missing is found', async () => {
  const { headers, certificate } = receipt;
  const changes: Partial<Receipt>[] = [
    { headers: [] },
    { headers: headers.slice(1) },
    { headers: headers.slice(0, 2) },
    { headers: [first.header, third.header] },
    { certificate: { ...certificate, votes: certificate.votes.slice(1) } },
  ];
  for (const change of changes) expect(await receiptFault({ ...receipt, ...change }, verifyEd25519)).not.toBeNull();
});

test('another committee’s certificate is none', async () => {
  const others = await SigningCommittee.of(101);
  const certificate = await others.certificate(third.header);
  expect(await receiptFault({ ...receipt, certificate }, verifyEd25519)).toContain('member 0');
  expect(await receiptFault({ ...receipt, certificate, committee: others.committee }, verifyEd25519)).toContain(
    'of another committee',
  );
});

/** Every value of a receipt, by its path. */
function places(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => places(inner, path === '' ? name : `${path}.${name}`));
}

function changedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) {
    if (typeof value === 'number') return value + 1;
    const text = String(value);
    return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
  }
  const changed = changedAt((value as Record<string, unknown>)[name], rest);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...(value as object), [name]: changed };
}
