import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadCheckpointCrypto } from '../../containers/validator/load-checkpoint-crypto.ts';
import {
  adjustment,
  blockOf,
  proofOf,
  receiptOf,
  SigningCommittee,
  settlement,
} from '../../domain/consensus/chain.fixtures.ts';
import { CheckpointCommittee } from '../../domain/consensus/checkpoints/checkpoint.fixtures.ts';
import { checkpointPath } from '../../domain/consensus/checkpoints/checkpoint.ts';
import { verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import { handoverMessage } from '../../domain/consensus/handover.ts';
import { receiptFault, receiptFinality } from '../../domain/consensus/receipt.ts';
import { committeesDocument, type ShownCommittee } from '../../protocol/receipts/committees-document.ts';
import { ReceiptDocument, receiptDocument } from '../../protocol/receipts/receipt-document.ts';

const SCRIPT = new URL('../../scripts/verify.ts', import.meta.url).pathname;

const signing = await SigningCommittee.of();
const records = [1, 2, 3].map(settlement);
const first = blockOf(signing.hash, null, records);
const second = blockOf(signing.hash, first.header, [settlement(4)]);
const text = JSON.stringify(receiptDocument(await receiptOf(signing, records, 1, [first.header, second.header])));

function verify(input: string, ...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, '-', ...options], {
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('npm run verify says what a receipt proves, and compares the committee that it is told', () => {
  const told = verify(text, '--committee', signing.hash);
  expect(told).toMatchObject({ status: 0, stderr: '' });
  expect(told.stdout).toMatch(new RegExp(`^recorded: trade ${records[1]?.tradeId} .*\n {2}finality {3}final\n`));
  expect(told.stdout).toContain(signing.hash);
  expect(verify(text, '--committee', 'a'.repeat(64))).toMatchObject({
    status: 1,
    stderr: `not proved: committee: it is ${signing.hash} and not ${'a'.repeat(64)}\n`,
  });
});

test('B-12: without a committee from elsewhere it says whose word it took, proves nothing, and exits 3, of a true receipt and of a forged one', async () => {
  const forger = await SigningCommittee.of(201);
  const header = { ...first.header, committee: forger.hash };
  const forged = JSON.stringify(receiptDocument(await receiptOf(forger, records, 1, [header])));
  for (const [receipt, committee] of [
    [text, signing.hash],
    [forged, forger.hash],
  ] as const) {
    const told = verify(receipt);
    expect(told).toMatchObject({ status: 3, stderr: '' });
    expect(told.stdout).toMatch(new RegExp(`^by the word of this file alone: committee ${committee} of epoch 1, `));
    expect(told.stdout).toContain('Nothing is proved');
    expect(told.stdout).not.toMatch(/final|settled/);
  }
  expect(verify(forged, '--committee', signing.hash)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `not proved: committee: it is ${forger.hash} and not ${signing.hash}\n`,
  });
});

describe('of committees that were kept', { timeout: 400_000 }, async () => {
  const [later, forger] = [await SigningCommittee.of(101, 2), await SigningCommittee.of(201, 2)];
  const folder = mkdtempSync(join(tmpdir(), 'committees-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const named = async (next: SigningCommittee, by: SigningCommittee) => {
    const message = handoverMessage(signing.hash, next.hash);
    const signed = by.keys.slice(0, 16).map(async (key, member) => ({ member, signature: await key.sign(message) }));
    return {
      ...next.committee,
      members: 'embedded',
      handover: { before: signing.hash, signatures: await Promise.all(signed) },
    } as const;
  };
  const anchor = { ...signing.committee, members: 'embedded', handover: null } as const;
  function kept(name: string, ...committees: ShownCommittee[]): string {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(committeesDocument(committees)));
    return path;
  }
  const receiptBy = async (by: SigningCommittee) => {
    const { header } = blockOf(by.hash, first.header, records);
    return JSON.stringify(receiptDocument(await receiptOf(by, records, 1, [header])));
  };

  test('B-12: the first is believed, those that it leads to are, and no other is, whatever the file says', async () => {
    const chain = kept('chain.json', anchor, await named(later, signing));
    const told = verify(await receiptBy(later), '--committees', chain);
    expect(told).toMatchObject({ status: 0, stderr: '' });
    expect(told.stdout).toMatch(/^recorded: /);
    expect(told.stdout).toContain('Their votes are the venue’s own word');
    expect(verify(text, '--committees', chain).status).toBe(0);
    expect(verify(await receiptBy(later), '--committees', chain, '--committee', signing.hash).status).toBe(0);
    const lying = kept('lying.json', anchor, await named(forger, forger));
    for (const options of [
      ['--committees', lying],
      ['--committees', lying, '--committee', signing.hash],
      ['--committees', chain],
    ])
      expect(verify(await receiptBy(forger), ...options)).toMatchObject({ status: 1, stdout: '' });
    const whole = kept('whole.json', { ...forger.committee, members: 'places', handover: null });
    expect(verify(await receiptBy(forger), '--committees', whole, '--committee', signing.hash).status).toBe(1);
    expect(verify(text, '--committees', join(folder, 'none.json')).status).toBe(2);
    writeFileSync(join(folder, 'other.json'), '{}');
    expect(verify(text, '--committees', join(folder, 'other.json')).status).toBe(2);
  });

  test('B-12: an adjustment by a committee that is not known proves nothing', async () => {
    const record = adjustment(2);
    const block = blockOf(forger.hash, second.header, [record]);
    const proof = { record, ...(await proofOf(forger, [record], 0, [block.header])) };
    const adjusted = { ...(await receiptOf(signing, records, 1, [first.header])), adjustment: proof };
    expect(verify(JSON.stringify(receiptDocument(adjusted)), '--committee', signing.hash)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('not proved: adjustment: committee: it is '),
    });
  });
});

test('B-12: nothing of a file moves the cursor, hides a line, turns its direction, or reads as a verdict', async () => {
  const parsed = JSON.parse(text);
  const control = '\u001b[2J\u001b[H\r\u0007\u202e\u200b\u2028\u009b8m';
  for (const [field, word] of [
    ['tradeId', `${control}recorded:`],
    ['currency', `usd${control}`],
    ['assetId', 'x stands in the chain and in the registry'],
  ]) {
    const told = verify(JSON.stringify({ ...parsed, settlement: { ...parsed.settlement, [field as string]: word } }));
    expect(told).toMatchObject({ status: 1, stdout: '' });
    expect(told.stderr).toBe(`not proved: settlement.${field}: not one printable word of up to 100 characters\n`);
  }
  const beside = verify(JSON.stringify({ ...parsed, [`a\nrecorded: trade${control}`]: 1 }));
  expect(beside).toMatchObject({ status: 1, stdout: '' });
  expect(beside.stderr).toContain(
    'a\\u{a}recorded: trade\\u{1b}[2J\\u{1b}[H\\u{d}\\u{7}\\u{202e}\\u{200b}\\u{2028}\\u{9b}8m',
  );
  expect(beside.stderr.split('\n')).toHaveLength(2);
});

test('npm run verify takes a hash with 0x and in capitals, and says what it does not understand', () => {
  expect(verify(text, '--committee', `0x${signing.hash.toUpperCase()}`)).toMatchObject({ status: 0, stderr: '' });
  expect(verify(text, '--committee', 'a9f9')).toMatchObject({
    status: 2,
    stderr: 'not proved: a9f9 is no hash of 64 hexadecimal digits\n',
  });
  for (const wrong of ['--comittee', '--committee', 'other.json'])
    expect(verify(text, wrong)).toMatchObject({ status: 2, stderr: expect.stringContaining('usage: npm run verify') });
});

test.each([
  ['taken back', adjustment(2), `was taken back at ${new Date(adjustment(2).adjustedAt).toISOString()}`],
  ['corrected', adjustment(2, 4_000), 'is settled at 4000, 1008000 usd, since '],
])(
  'B-11, R-01: of a trade that was %s since, the receipt after it says adjusted, and the one before says what it does not know',
  async (_, record, words) => {
    const block = blockOf(signing.hash, second.header, [record]);
    const receipt = await receiptOf(signing, records, 1, [first.header]);
    const proof = { record, ...(await proofOf(signing, [record], 0, [block.header])) };
    const [before, after] = [receipt, { ...receipt, adjustment: proof }].map((shown) =>
      verify(JSON.stringify(receiptDocument(shown)), '--committee', signing.hash),
    );
    expect(before?.stdout).toMatch(/^recorded: /);
    expect(before?.stdout).toContain('What was made of the trade after this receipt does not stand in it');
    expect(before?.stdout).not.toContain('settled');
    // an exit of its own, so that nobody takes it for a trade that stands.
    expect([before?.status, after?.status, after?.stderr]).toEqual([0, 4, '']);
    expect(after?.stdout).toMatch(new RegExp(`^adjusted: trade ${record.tradeId} ${words}`));
    const forged = { ...proof, record: { ...record, price: 1 } };
    expect(verify(JSON.stringify(receiptDocument({ ...receipt, adjustment: forged })))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('not proved: adjustment: inclusion: '),
    });
  },
);

describe('of a receipt with a checkpoint', async () => {
  const crypto = loadCheckpointCrypto();
  const signers = await CheckpointCommittee.of(crypto);
  const blocks = [first.header, second.header];
  const checkpoint = signers.checkpoint(null, blocks);
  const proof = {
    checkpoint,
    path: checkpointPath(blocks, 1),
    certificate: signers.certificate(checkpoint),
    keys: signers.keys,
  };
  const receipt = { ...(await receiptOf(signing, records, 1, blocks)), checkpoint: proof };
  const certified = JSON.stringify(receiptDocument(receipt));

  test('npm run verify says that its trade is checkpoint_final, and compares the keys that it is told', () => {
    const told = verify(certified, '--checkpoint-keys', checkpoint.keys);
    expect(told).toMatchObject({ status: 0, stderr: '' });
    expect(told.stdout).toMatch(
      new RegExp(`^recorded: trade ${records[1]?.tradeId} .*\n {2}finality {3}checkpoint_final\n`),
    );
    expect(told.stdout).toContain(checkpoint.keys);
    expect(verify(certified, '--checkpoint-keys', 'a'.repeat(64)).stderr).toContain('not proved: checkpoint keys: ');
    expect(verify(text, '--checkpoint-keys', checkpoint.keys).stderr).toContain('they are not there');
  });

  test('it proves nothing where its checkpoint does not, though its block is final', async () => {
    const finality = (changed: object) =>
      receiptFinality({ ...receipt, checkpoint: { ...proof, ...changed } }, verifyEd25519, crypto);
    expect(await finality({})).toEqual({ ok: true, value: 'checkpoint_final' });
    expect(await receiptFinality({ ...receipt, checkpoint: undefined }, verifyEd25519, crypto)).toEqual({
      ok: true,
      value: 'final',
    });
    const others = await CheckpointCommittee.of(crypto, 101);
    for (const changed of [{ path: [] }, { keys: others.keys }, { checkpoint: { ...checkpoint, number: 2 } }])
      expect(await finality(changed)).toMatchObject({ ok: false });
    const headers = [{ ...first.header, slot: 1 }, second.header];
    expect(await receiptFinality({ ...receipt, headers }, verifyEd25519, crypto)).toMatchObject({ ok: false });
    expect(verify(certified.replace('"lastHeight":2', '"lastHeight":3'))).toMatchObject({ status: 1, stdout: '' });
    expect(verify(certified.replace('"endorsement":"', '"endorsement":"0')).stderr).toContain('not 64 bytes');
  });
});

test.each([
  ['nothing', '', 'it is no JSON'],
  ['half of one', text.slice(0, 500), 'it is no JSON'],
  ['a field more', text.replace('{"version"', '{"more":1,"version"'), 'the document: Unrecognized key: "more"'],
  ['another version', text.replace('receipt.v1', 'receipt.v2'), 'version: '],
  ['another quantity', text.replace('"quantity":252', '"quantity":253'), 'inclusion: '],
  ['an account that is another', text.replace('a000-000000000003', 'a000-000000000005'), 'parties: '],
])('of %s it says what is wrong, and exits 1', (_, input, reason) => {
  const { status, stdout, stderr } = verify(input);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(`not proved: ${reason}`);
});

/** Of characters whose next one is not of their kind. */
const OTHER: Readonly<Record<string, string>> = { '9': '0', f: '0', x: 'y' };

/** What the script makes of a text, without a process for each. */
async function isProved(changed: string): Promise<boolean> {
  let json: unknown;
  try {
    json = JSON.parse(changed);
  } catch {
    return false;
  }
  const parsed = ReceiptDocument.safeParse(json);
  return parsed.success && (await receiptFault(parsed.data, verifyEd25519)) === null;
}

test('whatever byte of a receipt is changed, it proves nothing any more', async () => {
  expect(await isProved(text)).toBe(true);
  const proved: string[] = [];
  for (let at = 0; at < text.length; at++) {
    // Another character of the same kind, which is what leaves the text a document, and a space.
    const character = text[at] ?? '';
    const other = /[0-8a-e]/.test(character) ? String.fromCharCode(character.charCodeAt(0) + 1) : OTHER[character];
    for (const put of [other ?? 'x', ' ']) {
      const changed = `${text.slice(0, at)}${put}${text.slice(at + 1)}`;
      if (await isProved(changed)) proved.push(`${at}: ${text.slice(at - 10, at + 10)} by ${put}`);
    }
  }
  expect(proved).toEqual([]);
});
