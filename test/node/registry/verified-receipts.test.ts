import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  adjustment,
  blockOf,
  proofOf,
  receiptOf,
  SigningCommittee,
  settlement,
} from '../../../domain/consensus/chain.fixtures.ts';
import type { Receipt } from '../../../domain/consensus/receipt.ts';
import { adjustmentRecordHash, settlementRecordHash } from '../../../domain/settlement/settlement-record.ts';
import { receiptDocument } from '../../../protocol/receipts/receipt-document.ts';
import { bytesOf, hasDevnet, TestRegistry } from './registry.fixtures.ts';

const SCRIPT = new URL('../../../scripts/verify.ts', import.meta.url).pathname;

describe.skipIf(!hasDevnet)('npm run verify beside the registry', { timeout: 180_000 }, async () => {
  const signing = await SigningCommittee.of();
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await TestRegistry.start();
  });
  afterAll(() => registry?.chain.stop());

  /** Not synchronously: the chain is this process's child, and has to go on. */
  async function verify(receipt: Receipt, ...options: string[]) {
    const child = spawn(process.execPath, [SCRIPT, '-', ...options]);
    child.stdin.end(JSON.stringify(receiptDocument(receipt)));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: child.exitCode ?? (await new Promise((resolve) => child.once('exit', resolve))), stdout, stderr };
  }
  const beside = () => ['--committee', signing.hash, '--registry', registry.address, '--rpc', registry.chain.url];
  const record = async (uuid: string, hash: string) =>
    expect((await registry.send('record', [[{ uuid: bytesOf(uuid), hash: `0x${hash}` }]])).error).toBeNull();

  test('B-11: a trade is settled once the registry has it and nothing else, and a receipt from before an adjustment is refused', async () => {
    const records = [settlement(1)];
    const [trade] = records;
    if (trade === undefined) throw new Error('no trade');
    const block = blockOf(signing.hash, null, records);
    const before = await receiptOf(signing, records, 0, [block.header]);
    expect(await verify(before, ...beside())).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^recorded: [\s\S]*lacks a record yet/),
    });
    await record(trade.tradeId, settlementRecordHash(trade));
    expect(await verify(before, ...beside())).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(new RegExp(`^settled: trade ${trade.tradeId} [\\s\\S]*nothing else, until block `)),
    });
    // By a committee that nobody has named, the registry makes nothing of it.
    expect(await verify(before, ...beside().slice(2))).toMatchObject({
      status: 3,
      stdout: expect.not.stringContaining('settled'),
    });
    const bust = adjustment(1);
    await record(trade.tradeId, adjustmentRecordHash(bust));
    expect(await verify(before, ...beside())).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('not proved: registry: it has another record of the trade'),
    });
    const later = blockOf(signing.hash, block.header, [bust]);
    const after = { ...before, adjustment: { record: bust, ...(await proofOf(signing, [bust], 0, [later.header])) } };
    expect(await verify(after, ...beside())).toMatchObject({ status: 0, stdout: expect.stringMatching(/^adjusted: /) });
    expect(await verify(after, '--registry', registry.address)).toMatchObject({ status: 2, stdout: '' });
    expect(
      await verify(after, '--committee', signing.hash, '--registry', registry.address, '--rpc', 'http://127.0.0.1:9'),
    ).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('the registry cannot be read'),
    });
  });
});
