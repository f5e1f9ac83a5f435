/**
 * `npm run bench:checkpoints`: what one certificate of a checkpoint takes, by part: 16 members sign, their votes are checked and aggregated, the certificate is
 * verified. The BLS part is done by the WebAssembly module and by @noble/curves in turn, over the same keys and message; both must make the same aggregate.
 */

import { loadCheckpointCrypto } from '../containers/validator/load-checkpoint-crypto.ts';
import { nobleBls } from '../domain/consensus/checkpoints/bls-noble.ts';
import {
  type BlsKeyPair,
  type BlsSuite,
  ML_DSA_SIGNATURE_BYTES,
} from '../domain/consensus/checkpoints/checkpoint-crypto.ts';
import { COMMITTEE_SIZE, QUORUM } from '../domain/consensus/committee.ts';
import { memberSecrets } from '../domain/consensus/member-secrets.ts';
import { median, printReport } from './report.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(15, 1);
const WARM_UP_ROUNDS = sized(3, 0);
const CONTEXT = new TextEncoder().encode('bench');

const { bls: wasmBls, mlDsa } = loadCheckpointCrypto();
const secrets = Array.from({ length: COMMITTEE_SIZE }, (_, member) =>
  memberSecrets(new Uint8Array(32).fill(member), 1, member),
);
const lattice = secrets.map((secret) => mlDsa.keyPair(secret.mlDsa));

type Times = Record<string, number>;

/** Milliseconds. */
function timed<T>(times: Times, name: string, does: () => T): T {
  const begin = performance.now();
  const result = does();
  times[name] = performance.now() - begin;
  return result;
}

function blsRound(bls: BlsSuite, pairs: readonly BlsKeyPair[], message: Uint8Array): [Times, Uint8Array] {
  const times: Times = {};
  const signers = pairs.slice(0, QUORUM);
  const keys = signers.map(({ publicKey }) => publicKey);
  const signatures = timed(times, 'sign_ms', () => signers.map((pair) => pair.sign(message)));
  const aggregate = timed(times, 'aggregate_ms', () => bls.aggregate(signatures));
  if (aggregate === null) throw new Error('what was signed has no aggregate');
  const isRight = timed(times, 'verify_ms', () => bls.fastAggregateVerify(keys, message, aggregate));
  const proofs = signers.map((pair) => pair.prove());
  const areProved = timed(times, 'proofs_ms', () => keys.every((key, at) => bls.isProved(key, proofs[at]!)));
  if (!isRight || !areProved) throw new Error('what was signed does not verify');
  return [times, aggregate];
}

function latticeRound(message: Uint8Array): Times {
  const times: Times = {};
  const signers = lattice.slice(0, QUORUM);
  const signatures = timed(times, 'sign_ms', () => signers.map((pair) => pair.sign(message, CONTEXT)));
  const isRight = timed(times, 'verify_ms', () =>
    signers.every(({ publicKey }, at) => mlDsa.verify(publicKey, message, signatures[at]!, CONTEXT)),
  );
  if (!isRight) throw new Error('what was signed does not verify');
  return times;
}

const suites = [wasmBls, nobleBls].map((bls) => ({ bls, pairs: secrets.map((secret) => bls.keyPair(secret.bls)) }));
const rounds: { readonly wasm: Times; readonly noble: Times; readonly mlDsa: Times }[] = [];
for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
  const message = new TextEncoder().encode(`checkpoint ${round}`);
  const [[wasm, one], [noble, other]] = suites.map(({ bls, pairs }) => blsRound(bls, pairs, message)) as [
    [Times, Uint8Array],
    [Times, Uint8Array],
  ];
  if (!Buffer.from(one).equals(other)) throw new Error('the two libraries make different aggregates');
  const times = { wasm, noble, mlDsa: latticeRound(message) };
  if (round >= WARM_UP_ROUNDS) rounds.push(times);
}

const part = (name: 'wasm' | 'noble' | 'mlDsa', step: string) => median(rounds.map((round) => round[name][step] ?? 0));
const STEPS = ['sign_ms', 'aggregate_ms', 'verify_ms', 'proofs_ms'];
const row = (label: string, name: 'wasm' | 'noble' | 'mlDsa', steps = STEPS) => ({
  part: label,
  ...Object.fromEntries(steps.map((step) => [step, part(name, step)])),
});
const whole = (name: 'wasm' | 'noble') =>
  ['sign_ms', 'aggregate_ms', 'verify_ms'].reduce((sum, step) => sum + part(name, step), 0);

printReport({
  bench: 'checkpoints',
  ratio: whole('noble') / whole('wasm'),
  table: [
    row('BLS12-381, bls-eth-wasm', 'wasm'),
    row('BLS12-381, @noble/curves', 'noble'),
    row('ML-DSA-65, @noble/post-quantum', 'mlDsa', ['sign_ms', 'verify_ms']),
  ],
  figures: {
    signers: QUORUM,
    certificate_verify_ms: Number((part('wasm', 'verify_ms') + part('mlDsa', 'verify_ms')).toFixed(1)),
    ml_dsa_bytes: QUORUM * ML_DSA_SIGNATURE_BYTES,
  },
});
