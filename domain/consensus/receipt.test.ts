import { expect, test } from 'vitest';
import { adjustment, blockOf, proofOf, receiptOf, SigningCommittee, settlement } from './chain.fixtures.ts';
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

const later = await SigningCommittee.of(101, 2);
const bust = adjustment(4);
const beside = [settlement(8), bust];
const fourth = blockOf(later.hash, third.header, beside);
const adjusted: Receipt = {
  ...receipt,
  adjustment: { record: bust, ...(await proofOf(later, beside, 1, [fourth.header])) },
};

test('B-11: a receipt proves what was made of its trade, be it in a later block of another committee', async () => {
  expect(await receiptFault(adjusted, verifyEd25519)).toBeNull();
});

test.each(places(adjusted.adjustment))('B-11: what is changed of the adjustment at %s is found', async (path) => {
  const changed = changedAt(adjusted, ['adjustment', ...path.split('.')]) as Receipt;
  expect(await receiptFault(changed, verifyEd25519), path).toMatch(/^adjustment: /);
});

test('B-11: the adjustment of another trade, or one that stands before its trade, is none of it', async () => {
  const others = adjustment(3);
  const ofOther = {
    record: others,
    ...(await proofOf(later, [others], 0, [blockOf(later.hash, null, [others]).header])),
  };
  expect(await receiptFault({ ...receipt, adjustment: ofOther }, verifyEd25519)).toBe(
    'adjustment: it is of another trade',
  );
  const early = blockOf(signing.hash, null, [bust]);
  const before = { record: bust, ...(await proofOf(signing, [bust], 0, [early.header])) };
  const late = await receiptOf(signing, [settlement(4)], 0, [
    blockOf(signing.hash, early.header, [settlement(4)]).header,
  ]);
  expect(await receiptFault({ ...late, adjustment: before }, verifyEd25519)).toBe(
    'adjustment: its block is before that of its trade',
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
