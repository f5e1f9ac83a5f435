import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SigningScheme } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { seededRandom } from '../liar/seeded-random.ts';
import { HAPPENINGS, type Happening, KeyWorld } from './key-world.ts';

/** In CI; `ROTATION_CASES=200` makes some thousand kills. */
const CASES = Number(process.env.ROTATION_CASES ?? 8);
const SEED = Number(process.env.ROTATION_SEED ?? 34);
/** Once nothing fails any more: of the operators, and of each payment. */
const ROUNDS_MAX = 3;

/** Half of all calls go well. */
const happening = fc.oneof(
  { weight: 7, arbitrary: fc.constant<Happening>('right') },
  { weight: 3, arbitrary: fc.constantFrom(...HAPPENINGS) },
);
const index = fc.nat({ max: 7 });
const task = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('begin' as const) }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('pay' as const), index }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel' as const), index }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('reshare' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('rotate' as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('lose' as const), signer: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('replace' as const) }) },
);
type Task = typeof task extends fc.Arbitrary<infer One> ? One : never;
/** What runs at the same time, and then what comes next. */
const played = fc.record({
  scheme: fc.constantFrom<SigningScheme>('frost-secp256k1', 'frost-secp256k1', 'frost-taproot'),
  rounds: fc.array(fc.array(task, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 5 }),
  happenings: fc.infiniteStream(happening),
  turns: fc.infiniteStream(fc.nat({ max: 3 })),
});

async function take(world: KeyWorld, one: Task): Promise<void> {
  if (one.type === 'begin') world.begin();
  else if (one.type === 'pay') await world.pay(one.index);
  else if (one.type === 'cancel') await world.pay(one.index, 'cancel');
  else if (one.type === 'lose') world.lose(one.signer);
  else await world[one.type]();
}

test(`keys are dealt again, made anew and recovered while payments are under way, killed at each step: ${CASES} cases`, {
  timeout: 200_000 + CASES * 25_000,
}, async () => {
  let kills = 0;
  let payments = 0;
  const random = seededRandom();
  const property = fc.asyncProperty(played, async ({ scheme, rounds, happenings, turns }) => {
    // One seed makes the same keys and nonces, whatever came before.
    random.restart(`${SEED} ${scheme}`);
    let isCalm = true;
    const next = happenings[Symbol.iterator]();
    const wait = turns[Symbol.iterator]();
    const happens = (): Happening => (isCalm ? 'right' : next.next().value);
    // Others go on for so many steps first: what runs at the same time meets at every step.
    const turn = async () => {
      for (let steps = isCalm ? 0 : wait.next().value; steps > 0; steps -= 1) await Promise.resolve();
    };
    const world = await KeyWorld.open(scheme, happens, turn);
    world.begin();
    isCalm = false;
    for (const round of rounds) await Promise.all(round.map((one) => take(world, one)));
    isCalm = true;
    await world.settle(ROUNDS_MAX);
    expect(await world.faults()).toEqual([]);
    kills += world.kills;
    payments += world.transfers.length;
  });
  try {
    await fc.assert(property, { seed: SEED, numRuns: CASES });
  } finally {
    random.restore();
  }
  console.info(`rotation: ${CASES} cases of seed ${SEED}, ${kills} kills, ${payments} transfers paid once each`);
  expect(kills).toBeGreaterThan(CASES);
});
