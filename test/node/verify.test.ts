import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { loadCheckpointCrypto } from '../../containers/validator/load-checkpoint-crypto.ts';
import { blockOf, receiptOf, SigningCommittee, settlement } from '../../domain/consensus/chain.fixtures.ts';
import { CheckpointCommittee } from '../../domain/consensus/checkpoints/checkpoint.fixtures.ts';
import { checkpointPath } from '../../domain/consensus/checkpoints/checkpoint.ts';
import { verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import { receiptFault, receiptFinality } from '../../domain/consensus/receipt.ts';
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
  expect(told.stdout).toContain(`final: trade ${records[1]?.tradeId} is settled for good`);
  expect(told.stdout).toContain(signing.hash);
  expect(verify(text).stdout).toContain('--committee');
  expect(verify(text, '--committee', 'a'.repeat(64))).toMatchObject({
    status: 1,
    stderr: `not proved: committee: it is ${signing.hash} and not ${'a'.repeat(64)}\n`,
  });
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
    expect(told.stdout).toContain(`checkpoint_final: trade ${records[1]?.tradeId}`);
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
}, 60_000);
