/**
 * `npm run bench:faces [-- <folder of photos>]`: photos a second through POST /v1/faces (token, limits, multipart, inference container,
 * sealing, R2, D1, gallery), the Worker straight in workerd, against the bare engine in a loop in one process, on the same photos; and
 * how much of the machine our own processes take with four clients at once. Medians of five rounds, which take turns. Photos are cut to at most 1,000 pixels, so that a run takes a minute.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { unstable_readConfig } from 'wrangler';
import { loadEmbeddedFaceEngine } from '../containers/inference/faces/embedded-face-engine.ts';
import { decodeImage } from '../containers/inference/images/decode-image.ts';
import { EventsClient } from '../scripts/demo-events/events-client.ts';
import { startInferenceProcess } from '../scripts/local/inference-process.ts';
import { PATHS } from '../scripts/local/paths.ts';
import { freePort } from '../scripts/local/port.ts';
import { ownCpuSeconds } from './own-cpu.ts';
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
const PHOTOS_PER_ROUND = sized(24, 2);
const CLIENTS = sized(4, 1);
const WIDTH_MAX = 1_000;
const COLLECTION = 'bench-faces';
const DECODING = { side_min: 16, pixels_max: 50_000_000, enhanced_pixels_max: 50_000_000 };

const folder = resolve(
  process.argv.slice(2).find((each) => !each.startsWith('--')) ?? join(PATHS.root, '..', 'shared', 'data', 'faces'),
);
if (!existsSync(folder)) {
  // A checkout alone has no photographs: then there is nothing to show.
  if (sized(false, true)) process.exit(0);
  throw new Error(`${folder} is not there: name a folder of photographs`);
}

async function photos(): Promise<Uint8Array[]> {
  const names = readdirSync(folder).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
  const cut = await Promise.all(
    names.sort().map(async (name) => {
      const upright = sharp(readFileSync(join(folder, name))).rotate();
      const small = upright.resize({ width: WIDTH_MAX, height: WIDTH_MAX, fit: 'inside', withoutEnlargement: true });
      return new Uint8Array(await small.jpeg().toBuffer());
    }),
  );
  if (cut.length === 0) throw new Error(`no photographs in ${folder}`);
  return Array.from({ length: PHOTOS_PER_ROUND }, (_, index) => cut[index % cut.length] as Uint8Array);
}

interface Timed {
  readonly photos_per_s: number;
  /** Of all cores, what this bench and its processes took. */
  readonly cpu_share: number;
}

async function timed(work: () => Promise<void>): Promise<Timed> {
  const [before, started] = [ownCpuSeconds(), performance.now()];
  await work();
  const [after, seconds] = [ownCpuSeconds(), (performance.now() - started) / 1_000];
  return { photos_per_s: PHOTOS_PER_ROUND / seconds, cpu_share: (after - before) / (seconds * cpus().length) };
}

const round = await photos();
const engine = await loadEmbeddedFaceEngine('mobilefacenet');
const bare = () =>
  timed(async () => {
    for (const photo of round) {
      const decoded = await decodeImage(photo, DECODING);
      if (!decoded.ok) throw new Error(`a photo does not decode: ${decoded.error.message}`);
      await engine.analyze(decoded.value, 'qualified');
    }
  });

const vars = unstable_readConfig({ config: PATHS.wranglerConfig }).vars as Record<string, unknown>;
const folderOfLog = mkdtempSync(join(tmpdir(), 'bench-faces-'));
const inference = await startInferenceProcess({
  port: await freePort(),
  log: join(folderOfLog, 'inference.log'),
  secret: String(vars.INFERENCE_SECRET),
});
const service = await startWorker('bench/workers/faces.toml', {
  bindings: { ...vars, INFERENCE_URL: `http://localhost:${inference.port}` },
  log: () => undefined,
});
try {
  await fetch(new URL('/setup', service.url));
  const client = await EventsClient.signIn(service.url.origin, 'demo-events', 'demo-events-secret-local-only');
  const store = (photo: Uint8Array) => client.upload('/v1/faces', { image: photo, collection: COLLECTION });
  const served = (clients: number) =>
    timed(async () => {
      const waiting = [...round];
      const work = async () => {
        for (let photo = waiting.pop(); photo !== undefined; photo = waiting.pop()) await store(photo);
      };
      await Promise.all(Array.from({ length: clients }, work));
    });
  await bare();
  await served(CLIENTS);
  const rounds: Record<'bare' | 'one' | 'four', Timed[]> = { bare: [], one: [], four: [] };
  for (let i = 0; i < ROUNDS; i++) {
    rounds.bare.push(await bare());
    rounds.one.push(await served(1));
    rounds.four.push(await served(CLIENTS));
  }
  const of = (results: readonly Timed[]): Timed => ({
    photos_per_s: median(results.map(({ photos_per_s }) => photos_per_s)),
    cpu_share: median(results.map(({ cpu_share }) => cpu_share)),
  });
  const [floor, one, four] = [of(rounds.bare), of(rounds.one), of(rounds.four)];
  const row = (path: string, { photos_per_s, cpu_share }: typeof floor) => ({
    path,
    'photos/s': photos_per_s,
    'CPU %': 100 * cpu_share,
    ratio: photos_per_s / floor.photos_per_s,
  });
  printReport({
    bench: 'faces',
    ratio: one.photos_per_s / floor.photos_per_s,
    table: [row('bare engine, one loop', floor), row('POST /v1/faces, 1 client', one), row(`${CLIENTS} clients`, four)],
    figures: {
      cores: cpus().length,
      bare_photos_per_s: Number(floor.photos_per_s.toFixed(2)),
      one_client_photos_per_s: Number(one.photos_per_s.toFixed(2)),
      four_clients_photos_per_s: Number(four.photos_per_s.toFixed(2)),
      four_clients_ratio: Number((four.photos_per_s / floor.photos_per_s).toFixed(2)),
      four_clients_cpu_share: Number(four.cpu_share.toFixed(3)),
    },
  });
} finally {
  await service.stop();
  await inference.stop();
  rmSync(folderOfLog, { recursive: true, force: true });
}
