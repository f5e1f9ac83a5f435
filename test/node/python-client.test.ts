import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Algorithm, AlgorithmEvent, AlgorithmState } from '../../clients/sdk/algorithms.ts';
import { commandsOf, filledOf, iceberg, schedule, startIceberg, startTwap } from '../../clients/sdk/algorithms.ts';
import { pythonWithWebsockets } from './fixtures/python-with-websockets.ts';

const LIBRARY = join(import.meta.dirname, '..', '..', 'clients', 'python');
const python = pythonWithWebsockets();
const builder = pythonWithWebsockets('build, wheel, setuptools');
if (python === null)
  process.stdout.write('the client library for Python is not tried: there is no Python from 3.11 on with websockets\n');
else if (builder === null) process.stdout.write('no wheel is built: Python has no build, wheel or setuptools here\n');

/** A run as it is recorded: terms, and the events that came. */
interface Recorded {
  readonly algorithm: 'iceberg' | 'twap';
  readonly id: string;
  readonly terms: Record<string, unknown>;
  readonly events: readonly AlgorithmEvent[];
}

const ID = 'run';
const amount = (most: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: most }), fc.constantFrom('', '.0', '.5', '.25', '.125'))
    .map(([whole, fraction]) => `${whole}${fraction}`);
const clientOrderId = fc.integer({ min: 1, max: 6 }).map((number) => `${ID}-${number}`);
const event: fc.Arbitrary<AlgorithmEvent> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<AlgorithmEvent>({ type: 'stop' }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('absent' as const), clientOrderId }) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        type: fc.constant('refused' as const),
        clientOrderId,
        code: fc.constant('MARKET_CLOSED'),
        details: fc.constantFrom({}, { opensAt: '1750000000000' }),
      },
      { requiredKeys: ['type', 'clientOrderId', 'code'] },
    ),
  },
  {
    weight: 16,
    arbitrary: fc.record(
      {
        type: fc.constant('order' as const),
        clientOrderId,
        isOver: fc.boolean(),
        filled: fc.oneof(fc.constant('0'), amount(20)),
        reason: fc.constantFrom(null, 'unfilled', 'self_trade'),
        isRejected: fc.constant(true as const),
      },
      { requiredKeys: ['type', 'clientOrderId', 'isOver', 'filled', 'reason'] },
    ),
  },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('time' as const), at: fc.integer({ min: 0, max: 2_000 }) }) },
);
const common = {
  symbol: fc.constant('ACME-USD'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  quantity: amount(60),
  limitPrice: amount(30),
  lotSize: fc.constantFrom('1', '0.5', '0.25', '0.125', '0.10'),
  sizeMin: fc.constantFrom('1', '0.5', '2.50'),
};
const recorded: fc.Arbitrary<Recorded> = fc.oneof(
  fc.record({
    algorithm: fc.constant('iceberg' as const),
    id: fc.constant(ID),
    terms: fc.record({ ...common, sliceSize: amount(20), jitterPercent: fc.integer({ min: 0, max: 50 }) }),
    events: fc.array(event, { maxLength: 25 }),
  }),
  fc.record({
    algorithm: fc.constant('twap' as const),
    id: fc.constant(ID),
    terms: fc.record(
      {
        ...common,
        slices: fc.integer({ min: 1, max: 9 }),
        startAt: fc.integer({ min: 0, max: 500 }),
        durationMs: fc.integer({ min: 7, max: 1_500 }),
        style: fc.constantFrom('take', 'rest'),
        orderSizeMax: amount(20),
      },
      {
        requiredKeys: [
          'symbol',
          'side',
          'quantity',
          'limitPrice',
          'lotSize',
          'sizeMin',
          'slices',
          'startAt',
          'durationMs',
          'style',
        ],
      },
    ),
    events: fc.array(event, { maxLength: 25 }),
  }),
);

/** What TypeScript says of a run: each state and what follows from it; null where the terms are refused. */
function played({ algorithm, id, terms, events }: Recorded) {
  const isIceberg = algorithm === 'iceberg';
  const machine = (isIceberg ? iceberg : schedule) as unknown as Algorithm<AlgorithmState>;
  let state: AlgorithmState;
  try {
    state = isIceberg ? startIceberg(id, terms as never) : startTwap(id, terms as never);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
  const states = [state];
  for (const each of events) states.push(machine.step(states.at(-1)!, each));
  return states.map((each) => ({
    state: each,
    commands: commandsOf(each),
    filled: filledOf(each),
    wakeAt: machine.wakeAt(each),
  }));
}

describe.skipIf(python === null)('the client library for Python', () => {
  const run = (args: readonly string[], input = '') =>
    spawnSync(python!, ['-B', ...args], { cwd: LIBRARY, input, encoding: 'utf8', maxBuffer: 1 << 28 });

  it('passes its own tests', () => {
    const { status, stderr } = run(['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests']);
    expect(stderr).toMatch(/Ran \d{2,} tests/);
    expect(stderr.trim().endsWith('OK'), stderr).toBe(true);
    expect(status).toBe(0);
  });

  it('plays iceberg and TWAP step by step as the TypeScript library does', () => {
    const runs = fc.sample(recorded, { numRuns: 400, seed: 11 });
    const expected = runs.map(played);
    const begun = expected.filter((each) => each !== null);
    // That they are runs at all: some end, some fill, and many are begun.
    expect(begun.length).toBeGreaterThan(100);
    expect(begun.some((steps) => steps.at(-1)?.state.stage === 'ended')).toBe(true);
    expect(begun.some((steps) => steps.some(({ commands }) => commands[0]?.type === 'withdraw'))).toBe(true);
    const { stdout, stderr } = run(['-m', 'tests.replay_algorithms'], JSON.stringify(runs));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
  });
});

describe.skipIf(builder === null)('the wheel', () => {
  const folder = mkdtempSync(join(tmpdir(), 'python-wheel-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is built, and is imported from where nothing else of ours is', () => {
    const copy = join(folder, 'source');
    cpSync(LIBRARY, copy, { recursive: true });
    execFileSync(builder!, ['-B', '-m', 'build', '--wheel', '--no-isolation', '--outdir', folder], {
      cwd: copy,
      stdio: 'pipe',
    });
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    expect(wheel).toBe('edge_exchange-0.1.0-py3-none-any.whl');
    const program = [
      'import edge_exchange, edge_exchange.feeds',
      'from edge_exchange.algorithms import commands_of, start_iceberg',
      'terms = dict(symbol="A", side="buy", quantity="10", limitPrice="20", lotSize="1", sizeMin="1", sliceSize="4", jitterPercent=0)',
      'print(edge_exchange.__file__, commands_of(start_iceberg("run", terms))[0]["size"])',
    ].join('\n');
    const printed = execFileSync(builder!, ['-B', '-c', program], {
      cwd: tmpdir(),
      env: { ...process.env, PYTHONPATH: join(folder, wheel!) },
      encoding: 'utf8',
    });
    expect(printed).toBe(`${join(folder, wheel!, 'edge_exchange', '__init__.py')} 4\n`);
  });
});
