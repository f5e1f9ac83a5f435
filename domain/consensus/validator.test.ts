import { expect, test } from 'vitest';
import { COMMITTEE_SIZE, preferencesNeeded, QUORUM, ROUNDS_MAX } from './committee.ts';
import { type Adversity, CommitteeModel } from './model.fixtures.ts';

const CALM: Adversity = {
  seed: 1,
  equivocators: 0,
  crashed: 0,
  forks: 1,
  lost: 0,
  restarted: 0,
  heights: 3,
  attempts: 1,
};
const RUNS = Number(process.env.CONSENSUS_RUNS ?? 100);

test('the consensus constants: 20 members, 16 votes, a threshold of 55 % that grows to 65 % over ten rounds', () => {
  expect([COMMITTEE_SIZE, QUORUM, ROUNDS_MAX]).toEqual([20, 16, 10]);
  expect(Array.from({ length: 11 }, (_, round) => preferencesNeeded(round))).toEqual([
    11, 12, 12, 12, 12, 12, 13, 13, 13, 13, 13,
  ]);
});

test.each([0, 4])('with %i of 20 away, each height becomes final at the first attempt', (crashed) => {
  const { certified } = new CommitteeModel({ ...CALM, crashed }).run();
  expect(certified.map(({ height }) => height)).toEqual([1, 2, 3]);
});

test('with five away nothing becomes final', () => {
  expect(new CommitteeModel({ ...CALM, crashed: 5, attempts: 5 }).run().certified).toEqual([]);
});

test('two blocks of one height are decided between, where everybody is heard', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const { certified, isForked } = new CommitteeModel({ ...CALM, seed, forks: 2, heights: 1, attempts: 2 }).run();
    expect(certified).toHaveLength(1);
    expect(isForked).toBe(false);
  }
});

test('with four away and a tenth of the messages lost, a height becomes final within some attempts', () => {
  for (let seed = 1; seed <= 15; seed++) {
    const { certified } = new CommitteeModel({ ...CALM, seed, crashed: 4, lost: 10, restarted: 5, attempts: 40 }).run();
    expect(certified.at(-1)?.height).toBe(3);
  }
});

test('whatever is lost, late, restarted or told two ways by up to 11 members, no two blocks are final of which neither stands on the other', () => {
  const seen = { runs: 0, messages: 0, certified: 0 };
  for (let seed = 1; seed <= RUNS; seed++) {
    const equivocators = seed % 12;
    const run = new CommitteeModel({
      seed,
      equivocators,
      crashed: Math.floor(seed / 12) % 5,
      forks: 1 + (seed % 3),
      lost: [0, 5, 20, 40][seed % 4] ?? 0,
      restarted: seed % 5 === 0 ? 20 : 0,
      heights: 4,
      attempts: 3,
    }).run();
    expect(run.isForked, `seed ${seed}`).toBe(false);
    seen.runs += 1;
    seen.messages += run.messages;
    seen.certified += run.certified.length;
  }
  expect(seen.certified).toBeGreaterThan(seen.runs / 4);
  console.info(
    `consensus model: ${seen.runs} runs, ${seen.messages} messages, ${seen.certified} certified blocks, no fork`,
  );
}, 120_000);

test('twelve members who vote twice fork the chain, so the model sees forks', () => {
  const forked = Array.from({ length: 200 }, (_, seed) =>
    new CommitteeModel({ ...CALM, seed, equivocators: 12, forks: 2, heights: 1 }).run(),
  ).filter(({ isForked }) => isForked);
  expect(forked.length).toBeGreaterThan(0);
});
