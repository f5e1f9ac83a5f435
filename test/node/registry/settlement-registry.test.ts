import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Hex, keccak256, parseEventLogs, stringToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BlockHeader, blockHash } from '../../../domain/consensus/block.ts';
import { blockOf, settlement } from '../../../domain/consensus/chain.fixtures.ts';
import { checkpointHash, checkpointOf, checkpointPath } from '../../../domain/consensus/checkpoints/checkpoint.ts';
import { inclusionPath } from '../../../domain/consensus/merkle-tree.ts';
import { settlementRecordHash } from '../../../domain/settlement/settlement-record.ts';
import { REGISTRY_ABI } from '../../../protocol/registry/registry-abi.ts';
import {
  ADMIN,
  ADMIN_DELAY_S,
  bytesOf,
  HEIR,
  hasDevnet,
  RECORDER,
  STRANGER,
  TestRegistry,
  uuid,
} from './registry.fixtures.ts';

const GAS_SNAPSHOT = new URL('./gas-snapshot.json', import.meta.url);
const ZERO: Hex = `0x${'0'.repeat(64)}`;

const hash = (number: number): Hex => keccak256(stringToHex(`record ${number}`));
let records = 0;
const settlementOf = (of = uuid()) => ({ uuid: bytesOf(of), hash: hash(++records) });

describe.skipIf(!hasDevnet)('the registry', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await TestRegistry.start();
  });
  afterAll(() => registry.chain.stop());

  test('records a settlement under the UUID of its trade, with an event whose transaction is the one that recorded it', async () => {
    const id = uuid();
    const given = settlementOf(id);
    const { error, hash: transaction, blockNumber } = await registry.send('record', [[given]]);
    expect(error).toBeNull();
    expect(await registry.read('lookupByUUID', [id])).toBe(given.uuid);
    const { timestamp } = await registry.reader.getBlock({ blockNumber });
    expect(await registry.read('getTxsByUUID', [id])).toEqual([
      { hash: given.hash, blockNumber, recordedAt: timestamp },
    ]);
    const logs = await registry.reader.getLogs({
      address: registry.address,
      fromBlock: blockNumber,
      toBlock: blockNumber,
    });
    const [event] = parseEventLogs({ abi: REGISTRY_ABI, logs, eventName: 'SettlementRecorded' });
    expect(event).toMatchObject({ transactionHash: transaction, args: { ...given, place: 0n } });
  });

  test('of a trade that is not recorded it knows nothing', async () => {
    expect(await registry.read('lookupByUUID', [uuid()])).toBe(`0x${'0'.repeat(32)}`);
    expect(await registry.recordsOf(uuid())).toEqual([]);
    expect(await registry.read('isRecorded', [bytesOf(uuid()), hash(1)])).toBe(false);
  });

  test('records each once, in a batch, over batches, and however often it is told', async () => {
    const [one, other] = [settlementOf(), settlementOf()];
    const id = uuid();
    const [settled, busted] = [settlementOf(id), settlementOf(id)];
    for (const batch of [
      [one, one],
      [one, other, settled],
      [settled, busted, busted],
      [busted, settled, one],
    ])
      expect((await registry.send('record', [batch])).error).toBeNull();
    expect(await registry.recordsOf(id)).toEqual([settled.hash, busted.hash]);
    expect(await registry.read('isRecorded', [settled.uuid, busted.hash])).toBe(true);
    expect(await registry.read('isRecorded', [one.uuid, busted.hash])).toBe(false);
    const logs = await registry.reader.getLogs({ address: registry.address, fromBlock: 0n });
    const events = parseEventLogs({ abi: REGISTRY_ABI, logs, eventName: 'SettlementRecorded' });
    for (const { uuid: of, hash: record } of [one, other, settled, busted])
      expect(events.filter(({ args }) => args.uuid === of && args.hash === record)).toHaveLength(1);
  });

  test('bounds a batch and the records of a trade, and takes nothing that is empty', async () => {
    expect((await registry.send('record', [[]])).error).toBe('BatchSize');
    expect((await registry.send('record', [Array.from({ length: 201 }, () => settlementOf())])).error).toBe(
      'BatchSize',
    );
    expect((await registry.send('record', [Array.from({ length: 200 }, () => settlementOf())])).error).toBeNull();
    const empty = { uuid: bytesOf(uuid()), hash: ZERO };
    expect((await registry.send('record', [[settlementOf(), empty]])).error).toBe('EmptySettlement');
    const nobody = { uuid: `0x${'0'.repeat(32)}`, hash: hash(1) };
    expect((await registry.send('record', [[nobody]])).error).toBe('EmptySettlement');
    const id = uuid();
    const eight = Array.from({ length: 8 }, () => settlementOf(id));
    expect((await registry.send('record', [eight])).error).toBeNull();
    const unharmed = settlementOf();
    expect((await registry.send('record', [[unharmed, settlementOf(id)]])).error).toBe('TooManyRecords');
    expect(await registry.read('isRecorded', [unharmed.uuid, unharmed.hash])).toBe(false);
    expect((await registry.send('record', [eight])).error).toBeNull();
    expect(await registry.recordsOf(id)).toEqual(eight.map((each) => each.hash));
  });

  test('reads UUIDs in either case, and refuses whatever is none', async () => {
    const id = uuid();
    await registry.send('record', [[settlementOf(id)]]);
    expect(await registry.read('lookupByUUID', [id.toUpperCase()])).toBe(bytesOf(id));
    const texts = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc
        .tuple(fc.nat(35), fc.string({ minLength: 1, maxLength: 1 }))
        .map(([at, put]) => id.slice(0, at) + put + id.slice(at + 1)),
      fc.constantFrom('', id.replaceAll('-', ''), `${id} `, ` ${id}`, `{${id}}`, id.slice(1), `${id}0`),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const isOne = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
        const [found, all] = [await registry.read('lookupByUUID', [text]), await registry.read('getTxsByUUID', [text])];
        expect(
          [found, all].map((answer) => answer === 'MalformedUUID'),
          text,
        ).toEqual([!isOne, !isOne]);
      }),
      { numRuns: 60 },
    );
  });

  test('whatever batches it is told, it has of each trade what a list without doubles has', async () => {
    const trades = [uuid(), uuid(), uuid()];
    const each = fc.record({ trade: fc.nat(2), record: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(each, { minLength: 1, maxLength: 6 }), { maxLength: 4 }), async (batches) => {
        const of = (trade: number, record: number) => keccak256(stringToHex(`${trades[trade]} ${record}`));
        for (const batch of batches) {
          const given = batch.map(({ trade, record }) => ({
            uuid: bytesOf(trades[trade] ?? ''),
            hash: of(trade, record),
          }));
          for (const { uuid: id, hash: one } of given) {
            const known = expected.get(id) ?? [];
            if (!known.includes(one)) expected.set(id, [...known, one]);
          }
          expect((await registry.send('record', [given])).error).toBeNull();
        }
        for (const trade of trades) expect(await registry.recordsOf(trade)).toEqual(expected.get(bytesOf(trade)) ?? []);
      }),
      { numRuns: 15 },
    );
  });
  const expected = new Map<Hex, Hex[]>();

  test('lets the recorder alone record, the pauser alone pause, and the admin alone say who they are', async () => {
    const roleOf = async (name: string) => (await registry.read<Hex>(name)) as Hex;
    const [recorderRole, pauserRole] = [await roleOf('RECORDER_ROLE'), await roleOf('PAUSER_ROLE')];
    const changes: readonly (readonly [string, readonly unknown[], typeof RECORDER])[] = [
      ['record', [[settlementOf()]], RECORDER],
      ['recordCheckpoints', [1n, [checkpointTerms([])]], RECORDER],
      ['pause', [], ADMIN],
      ['unpause', [], ADMIN],
      ['grantRole', [recorderRole, STRANGER.address], ADMIN],
      ['revokeRole', [recorderRole, RECORDER.address], ADMIN],
      ['grantRole', [pauserRole, STRANGER.address], ADMIN],
      ['beginDefaultAdminTransfer', [STRANGER.address], ADMIN],
      ['cancelDefaultAdminTransfer', [], ADMIN],
      ['changeDefaultAdminDelay', [0], ADMIN],
      ['rollbackDefaultAdminDelay', [], ADMIN],
    ];
    for (const [name, args, permitted] of changes)
      for (const caller of [ADMIN, RECORDER, STRANGER]) {
        if (caller === permitted) continue;
        expect((await registry.send(name, args, caller)).error, `${name} by ${caller.address}`).toBe(
          'AccessControlUnauthorizedAccount',
        );
      }
    expect((await registry.send('acceptDefaultAdminTransfer', [], STRANGER)).error).toBe(
      'AccessControlInvalidDefaultAdmin',
    );
  });

  test('paused it records nothing and shows everything, and goes on when it is unpaused', async () => {
    const id = uuid();
    const given = settlementOf(id);
    await registry.send('record', [[given]]);
    expect((await registry.send('pause', [], ADMIN)).error).toBeNull();
    expect((await registry.send('record', [[settlementOf()]])).error).toBe('EnforcedPause');
    expect((await registry.send('recordCheckpoints', [1n, [checkpointTerms([])]])).error).toBe('EnforcedPause');
    expect(await registry.recordsOf(id)).toEqual([given.hash]);
    expect((await registry.send('unpause', [], ADMIN)).error).toBeNull();
    expect((await registry.send('record', [[settlementOf()]])).error).toBeNull();
  });

  test('proves that a record stands in a block of a checkpoint, and nothing else', async () => {
    const headers: BlockHeader[] = [];
    const records = [1, 2, 3, 4, 5].map((size, at) => Array.from({ length: size }, (_, n) => settlement(at * 10 + n)));
    for (const each of records) headers.push(blockOf('c'.repeat(64), headers.at(-1) ?? null, each).header);
    const [first, second] = [headers.slice(0, 2), headers.slice(2)];
    const one = checkpointTerms(first);
    const two = checkpointTerms(second, first);
    expect((await registry.send('recordCheckpoints', [1n, [one]])).error).toBeNull();
    expect((await registry.send('recordCheckpoints', [1n, [one, two]])).error).toBeNull();
    expect(await registry.read('lastCheckpoint')).toBe(2n);
    for (const [at, header] of headers.entries()) {
      expect(await registry.read('blockHash', [onChain(header)])).toBe(`0x${blockHash(header)}`);
      const [number, blocks] = at < 2 ? [1n, first] : [2n, second];
      const leaves = (records[at] ?? []).map(settlementRecordHash);
      const blockPath = checkpointPath(blocks, header.height).map(hex);
      for (const [index, leaf] of leaves.entries()) {
        const path = inclusionPath(leaves, index).map(hex);
        const isIn = (change: {
          number?: bigint;
          hash?: Hex;
          index?: bigint;
          path?: Hex[];
          header?: BlockHeader;
          blockPath?: Hex[];
        }) =>
          registry.read('isIncluded', [
            change.number ?? number,
            change.hash ?? hex(leaf),
            change.index ?? BigInt(index),
            change.path ?? path,
            onChain(change.header ?? header),
            change.blockPath ?? blockPath,
          ]);
        expect(await isIn({})).toBe(true);
        for (const lie of [
          { number: 3n - number },
          { hash: ZERO },
          { index: BigInt(index + 1) },
          { path: [...path, ZERO] },
          { path: path.length > 0 ? path.slice(1) : [ZERO, ZERO] },
          { header: { ...header, slot: header.slot + 1 } },
          { header: { ...header, settlements: header.settlements + 8 } },
          { blockPath: [...blockPath, ZERO] },
          { path: Array.from({ length: 33 }, () => ZERO) },
        ])
          expect(
            await isIn(lie),
            JSON.stringify({ at, index, ...lie }, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
          ).toBe(false);
      }
    }
  });

  test('checkpoints follow each other without a gap, and are never replaced', async () => {
    const last = (await registry.read<bigint>('lastCheckpoint')) as bigint;
    const known = (await registry.read<{
      lastHeight: bigint;
      firstHeight: bigint;
      hash: Hex;
      blocksRoot: Hex;
      keysHash: Hex;
    }>('checkpoint', [last])) as { lastHeight: bigint; firstHeight: bigint; hash: Hex; blocksRoot: Hex; keysHash: Hex };
    const next = { ...known, firstHeight: known.lastHeight + 1n, lastHeight: known.lastHeight + 1n };
    const tell = (number: bigint, change: object) =>
      registry.send('recordCheckpoints', [number, [{ ...next, ...change }]]);
    expect((await tell(last, { ...known, blocksRoot: hash(7) })).error).toBe('CheckpointConflict');
    expect((await tell(0n, {})).error).toBe('CheckpointGap');
    expect((await tell(last + 2n, {})).error).toBe('CheckpointGap');
    expect((await tell(last + 1n, { firstHeight: known.lastHeight })).error).toBe('CheckpointGap');
    expect((await tell(last + 1n, { firstHeight: known.lastHeight + 2n })).error).toBe('CheckpointGap');
    expect((await tell(last + 1n, { lastHeight: known.lastHeight })).error).toBe('CheckpointGap');
    expect((await tell(last + 1n, { hash: ZERO })).error).toBe('EmptySettlement');
    expect((await registry.send('recordCheckpoints', [last + 1n, []])).error).toBe('BatchSize');
    expect(await registry.read('checkpoint', [last])).toEqual(known);
    for (const none of [0n, last + 1n]) expect(await registry.read('checkpoint', [none])).toBe('NoCheckpoint');
    expect((await tell(last + 1n, {})).error).toBeNull();
  });

  test('the admin hands over in two steps with a delay between them', async () => {
    expect((await registry.send('beginDefaultAdminTransfer', [HEIR.address], ADMIN)).error).toBeNull();
    expect((await registry.send('acceptDefaultAdminTransfer', [], HEIR)).error).toBe(
      'AccessControlEnforcedDefaultAdminDelay',
    );
    await registry.clock.increaseTime({ seconds: ADMIN_DELAY_S + 1 });
    await registry.clock.mine({ blocks: 1 });
    expect((await registry.send('acceptDefaultAdminTransfer', [], STRANGER)).error).toBe(
      'AccessControlInvalidDefaultAdmin',
    );
    expect((await registry.send('acceptDefaultAdminTransfer', [], HEIR)).error).toBeNull();
    expect(await registry.read('defaultAdmin')).toBe(HEIR.address);
    const role = (await registry.read<Hex>('RECORDER_ROLE')) as Hex;
    expect((await registry.send('grantRole', [role, STRANGER.address], ADMIN)).error).toBe(
      'AccessControlUnauthorizedAccount',
    );
    expect((await registry.send('revokeRole', [role, RECORDER.address], HEIR)).error).toBeNull();
    expect((await registry.send('record', [[settlementOf()]])).error).toBe('AccessControlUnauthorizedAccount');
    expect((await registry.send('grantRole', [role, RECORDER.address], HEIR)).error).toBeNull();
  });

  test('costs the gas that gas-snapshot.json says, by size of the batch', async () => {
    const measured: Record<string, number> = {};
    await registry.send('record', [[settlementOf()]]);
    for (const size of [1, 10, 50, 100, 200]) {
      // Hashes whose bytes are all other than zero, so that the calldata costs the same each time.
      const batch = Array.from({ length: size }, (_, at) => ({
        uuid: bytesOf(uuid().replaceAll('0', '1')),
        hash: `0x${(at + 16).toString(16).padStart(2, '1').repeat(32).slice(0, 64).replaceAll('0', '1')}` as Hex,
      }));
      const { error, gas } = await registry.send('record', [batch]);
      expect(error).toBeNull();
      measured[`record of ${size}, a settlement`] = Math.round(Number(gas) / size);
    }
    for (const size of [1, 50]) {
      const number = ((await registry.read<bigint>('lastCheckpoint')) as bigint) + 1n;
      const { lastHeight } = (await registry.read<{ lastHeight: bigint }>('checkpoint', [number - 1n])) as {
        lastHeight: bigint;
      };
      const batch = Array.from({ length: size }, (_, at) => {
        const height = lastHeight + BigInt(at) + 1n;
        return { hash: FULL, blocksRoot: FULL, keysHash: FULL, firstHeight: height, lastHeight: height };
      });
      const { error, gas } = await registry.send('recordCheckpoints', [number, batch]);
      expect(error).toBeNull();
      measured[`recordCheckpoints of ${size}, a checkpoint`] = Math.round(Number(gas) / size);
    }
    if (process.env.UPDATE_GAS !== undefined) writeFileSync(GAS_SNAPSHOT, `${JSON.stringify(measured, null, 2)}\n`);
    const snapshot = JSON.parse(readFileSync(GAS_SNAPSHOT, 'utf8')) as Record<string, number>;
    expect(Object.keys(measured)).toEqual(Object.keys(snapshot));
    for (const [what, gas] of Object.entries(measured))
      expect(Math.abs(gas - (snapshot[what] ?? 0)), `${what}: ${gas}`).toBeLessThanOrEqual(gas * 0.005);
  });
});

/** Without a zero byte, which costs less. */
const FULL: Hex = `0x${'1'.repeat(64)}`;
const hex = (of: string): Hex => `0x${of}`;

/** A checkpoint over these blocks as the registry is told of it; some made-up one over none. */
function checkpointTerms(blocks: readonly BlockHeader[], before: readonly BlockHeader[] = []) {
  if (blocks.length === 0)
    return { hash: hash(1), blocksRoot: hash(2), keysHash: hash(3), firstHeight: 1n, lastHeight: 1n };
  const keys = 'd'.repeat(64);
  const parent = before.length === 0 ? null : checkpointOf(keys, null, before);
  const checkpoint = checkpointOf(keys, parent, blocks);
  return {
    hash: hex(checkpointHash(checkpoint)),
    blocksRoot: hex(checkpoint.blocksRoot),
    keysHash: hex(keys),
    firstHeight: BigInt(checkpoint.firstHeight),
    lastHeight: BigInt(checkpoint.lastHeight),
  };
}

function onChain(header: BlockHeader) {
  const { committee, height, parent, slot, firstRow, lastRow, journalHash, settlements, settlementsRoot, booksRoot } =
    header;
  return {
    committee: hex(committee),
    height: BigInt(height),
    parent: hex(parent),
    slot: BigInt(slot),
    firstRow: BigInt(firstRow),
    lastRow: BigInt(lastRow),
    journalHash: hex(journalHash),
    settlements,
    settlementsRoot: hex(settlementsRoot),
    booksRoot: hex(booksRoot),
  };
}
