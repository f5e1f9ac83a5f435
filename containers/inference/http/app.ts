import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { ENHANCEMENT_LIMITS, type InferenceHealth, SECRET_HEADER } from '../../../protocol/inference/wire.ts';
import { type Failure, failure } from '../failure.ts';
import { readSize } from '../images/decode-image.ts';
import { log } from '../log.ts';
import type { Task } from '../pool/messages.ts';
import { workOf } from '../pool/work-of.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { answerFailure } from './answer-failure.ts';
import { isSecret } from './is-secret.ts';
import { readBody } from './read-body.ts';
import { streamEnhancement } from './stream-enhancement.ts';
import { type AppEnv, watchRequest } from './watch-request.ts';

export interface AppTerms {
  readonly pool: WorkerPool;
  readonly secret: string;
  readonly body_bytes_max: number;
  /** Bodies that come in at the same time, so that memory is bounded before the queue is. */
  readonly receiving_max: number;
  readonly isDraining: () => boolean;
}

const NO_MODELS: InferenceHealth['models'] = { faces: null, weapons: null, restoration: null, upscaling: null };

const facesQuery = z.object({ embed: z.enum(['none', 'qualified', 'largest']).default('none') });
const enhanceQuery = z.object({
  fidelity: z.coerce.number().min(0).max(1).default(ENHANCEMENT_LIMITS.fidelity_default),
  upscale: z.coerce
    .number()
    .pipe(z.literal(ENHANCEMENT_LIMITS.upscale_values))
    .default(ENHANCEMENT_LIMITS.upscale_default),
});

/** The routes of protocol/inference/wire.ts before a pool of workers. */
export function createApp({ pool, secret, body_bytes_max, receiving_max, isDraining }: AppTerms): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  let receiving = 0;

  app.get('/healthz', (c) => {
    const { models, queued } = pool;
    const status = isDraining() ? 'draining' : models === null ? 'starting' : 'ok';
    const health: InferenceHealth = { status, models: models ?? NO_MODELS, queued };
    return c.json(health, status === 'ok' ? 200 : 503);
  });

  app.use('/v1/*', async (c, next) => {
    watchRequest(c);
    if (!isSecret(c.req.header(SECRET_HEADER), secret))
      return refuse(c, failure('UNAUTHORIZED', 'the shared secret is missing or wrong'));
    await next();
  });

  app.post('/v1/faces', (c) => {
    const query = facesQuery.safeParse(c.req.query());
    if (!query.success) return refuse(c, invalidQuery(query.error));
    return processPhoto(c, { kind: 'faces', ...query.data });
  });

  app.post('/v1/weapons', (c) => processPhoto(c, { kind: 'weapons' }));

  app.post('/v1/enhance', (c) => {
    const query = enhanceQuery.safeParse(c.req.query());
    if (!query.success) return refuse(c, invalidQuery(query.error));
    return processPhoto(c, { kind: 'enhance', ...query.data });
  });

  app.notFound((c) => refuse(c, failure('NOT_FOUND', 'there is nothing here')));
  app.onError((error, c) => {
    log('error', 'request_threw', { request_id: c.get('requestId'), error: error.stack ?? error.message });
    return refuse(c, failure('INTERNAL_ERROR', 'the request could not be processed'));
  });

  /** Admission, body, worker, answer. */
  async function processPhoto(c: Context<AppEnv>, task: Task): Promise<Response> {
    const tenant = c.req.header('x-tenant-id') ?? '';
    const noPlace = refusal(task.kind, tenant);
    if (noPlace !== null) return refuse(c, noPlace);
    receiving++;
    const body = await readBody(c.env.incoming, body_bytes_max).finally(() => {
      receiving--;
    });
    if (body.is === 'too_large')
      return refuse(c, failure('PAYLOAD_TOO_LARGE', `an image is at most ${body_bytes_max} bytes`, { body_bytes_max }));
    if (body.is === 'cut') return gone();
    const work = workOf(task, await readSize(body.bytes));
    // Places may have been taken while the body came.
    const lateRefusal = refusal(task.kind, tenant);
    if (lateRefusal !== null) return refuse(c, lateRefusal);
    const submission = { task, tenant, work, image: body.bytes, signal: c.get('gone') };
    if (task.kind === 'enhance')
      return streamEnhancement(pool, submission, (failed) => {
        c.set('failure', failed);
      });
    const outcome = await pool.submit({ ...submission, progress: () => undefined });
    if (outcome.is === 'abandoned') return gone();
    if (outcome.is === 'failed') return refuse(c, outcome.failure);
    return new Response(outcome.body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/json' } });
  }

  function refusal(kind: Task['kind'], tenant: string): Failure | null {
    if (isDraining()) return failure('OVERLOADED', 'the service is stopping', { reason: 'draining' });
    if (pool.isFull(kind, tenant) || receiving >= receiving_max)
      return failure('OVERLOADED', 'too many photos wait', { reason: 'queue_full' });
    return null;
  }

  return app;
}

/** Nobody reads it: its client went away. */
function gone(): Response {
  return new Response(null, { status: 499 });
}

function refuse(c: Context<AppEnv>, failed: Failure): Response {
  c.set('failure', failed);
  return answerFailure(failed);
}

function invalidQuery(error: z.ZodError): Failure {
  return failure('VALIDATION_ERROR', z.prettifyError(error), {
    issues: error.issues.map(({ path, message }) => ({ path, message })),
  });
}
