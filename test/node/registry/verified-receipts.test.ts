import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCheckpointCrypto } from '../../../containers/validator/load-checkpoint-crypto.ts';
import {
  adjustment,
  blockOf,
  proofOf,
  receiptOf,
  SigningCommittee,
  settlement,
} from '../../../domain/consensus/chain.fixtures.ts';
import { CheckpointCommittee } from '../../../domain/consensus/checkpoints/checkpoint.fixtures.ts';
import { checkpointHash, checkpointPath } from '../../../domain/consensus/checkpoints/checkpoint.ts';
import type { Receipt } from '../../../domain/consensus/receipt.ts';
import { adjustmentRecordHash, settlementRecordHash } from '../../../domain/settlement/settlement-record.ts';
import { receiptDocument } from '../../../protocol/receipts/receipt-document.ts';
import { bytesOf, hasDevnet, TestRegistry } from './registry.fixtures.ts';

const SCRIPT = new URL('../../../scripts/verify.ts', import.meta.url).pathname;

describe.skipIf(!hasDevnet)('npm run verify beside the registry', { timeout: 400_000 }, async () => {
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
      stdout: expect.stringMatching(
        new RegExp(`^settled: trade ${trade.tradeId} [\\s\\S]*nothing else; its last record is of block `),
      ),
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
    expect(await verify(after, ...beside())).toMatchObject({ status: 4, stdout: expect.stringMatching(/^adjusted: /) });
    expect(await verify(after, '--registry', registry.address)).toMatchObject({ status: 2, stdout: '' });
    expect(
      await verify(after, '--committee', signing.hash, '--registry', registry.address, '--rpc', 'http://127.0.0.1:9'),
    ).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('the registry cannot be read'),
    });
  });

  test('nothing is called settled where the registry has taken in nothing for the stated minutes, and its last record is named', async () => {
    const records = [settlement(3)];
    const [trade] = records;
    if (trade === undefined) throw new Error('no trade');
    const receipt = await receiptOf(signing, records, 0, [blockOf(signing.hash, null, records).header]);
    await record(trade.tradeId, settlementRecordHash(trade));
    const { clock } = registry;
    await clock.increaseTime({ seconds: 20 * 60 });
    await clock.mine({ blocks: 1 });
    const stale = await verify(receipt, ...beside());
    expect(stale).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^recorded: [\s\S]*nothing else; its last record is of block \d+ of .*: none in the last 15 minutes\n/,
      ),
    });
    expect(stale.stdout).not.toContain('settled');
    expect(stale.stdout).toContain('What was made of the trade after this receipt does not stand in it');
    expect(await verify(receipt, ...beside(), '--registry-minutes', '60')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^settled: .* nothing is recorded of it since, until block \d+ of /),
    });
    // A record of another trade shows that the recorder goes on.
    const [other] = [settlement(4)];
    await record(other?.tradeId ?? '', settlementRecordHash(other ?? trade));
    expect((await verify(receipt, ...beside())).stdout).toMatch(/^settled: /);
    for (const minutes of ['0', '1.5', 'none'])
      expect((await verify(receipt, ...beside(), '--registry-minutes', minutes)).status).toBe(2);
  });

  test('a committee whose checkpoint the registry has is believed by its word, which is named; another checkpoint of that number ends the verdict', async () => {
    const crypto = loadCheckpointCrypto();
    const [signers, forgers] = [await CheckpointCommittee.of(crypto), await CheckpointCommittee.of(crypto, 101)];
    const [records, bust] = [[settlement(5)], adjustment(5)];
    const certified = async (by: CheckpointCommittee) => {
      const first = blockOf(by.signing.hash, null, records).header;
      const blocks = [first, blockOf(by.signing.hash, first, [bust]).header];
      const checkpoint = by.checkpoint(null, blocks);
      const proofAt = (height: number) => ({
        checkpoint,
        path: checkpointPath(blocks, height),
        certificate: by.certificate(checkpoint),
        keys: by.keys,
      });
      const receipt: Receipt = { ...(await receiptOf(by.signing, records, 0, blocks)), checkpoint: proofAt(1) };
      const proof = await proofOf(by.signing, [bust], 0, blocks.slice(1));
      return { receipt, adjusted: { record: bust, ...proof, checkpoint: proofAt(2) } };
    };
    const { receipt, adjusted } = await certified(signers);
    const { receipt: forged, adjusted: made } = await certified(forgers);
    const onChain = ['--registry', registry.address, '--rpc', registry.chain.url];
    expect(await verify(receipt, ...onChain)).toMatchObject({
      status: 3,
      stdout: expect.stringMatching(/^by the word of this file alone: /),
    });
    const checkpoint = receipt.checkpoint?.checkpoint;
    if (checkpoint === undefined) throw new Error('no checkpoint');
    const terms = checkpoint;
    const recorded = {
      hash: `0x${checkpointHash(terms)}`,
      blocksRoot: `0x${terms.blocksRoot}`,
      keysHash: `0x${terms.keys}`,
      firstHeight: BigInt(terms.firstHeight),
      lastHeight: BigInt(terms.lastHeight),
    };
    expect((await registry.send('recordCheckpoints', [1n, [recorded]])).error).toBeNull();
    expect(await verify(receipt, ...onChain)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        new RegExp(`^recorded: [\\s\\S]*by {9}the word of whoever records in the registry ${registry.address}: `),
      ),
    });
    const other = { status: 1, stdout: '', stderr: expect.stringContaining('registry: it has another checkpoint 1') };
    expect(await verify(forged, ...onChain)).toEqual(other);
    expect(await verify(forged, '--committee', forgers.signing.hash, ...onChain)).toEqual(other);
    // Nor does a true adjustment, whose checkpoint has the same number, speak for a trade that was made up.
    expect(await verify({ ...forged, adjustment: adjusted }, ...onChain)).toEqual(other);
    expect(await verify({ ...receipt, adjustment: made }, ...onChain)).toEqual(other);
    expect((await verify({ ...receipt, adjustment: adjusted }, ...onChain)).stdout).toMatch(/^adjusted: /);
    expect(await verify({ ...receipt, adjustment: { ...made, checkpoint: undefined } }, ...onChain)).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('adjustment: committee: the registry has no checkpoint of it yet'),
    });
    // What is no list of committees says nothing against the receipt.
    expect((await verify(receipt, '--committees', SCRIPT)).status).toBe(2);
    // A block of that committee without a checkpoint is shown by nothing on chain.
    expect((await verify({ ...receipt, checkpoint: undefined }, ...onChain)).status).toBe(3);
    // Who names a committee goes by that alone.
    expect(await verify(receipt, '--committee', forgers.signing.hash, ...onChain)).toMatchObject({
      status: 1,
      stdout: '',
    });
    expect((await verify(receipt, '--committee', signers.signing.hash, ...onChain)).stdout).not.toContain(
      'the word of',
    );
  });
});
