import { createRoute, z } from '@hono/zod-openapi';
import { type OpenCollection, openCollection } from '../../../application/events/collections/open-collection.ts';
import { searchFaces } from '../../../application/events/faces/search-faces.ts';
import { decodeEmbedding } from '../../../application/events/inference/decode-embedding.ts';
import type { InferenceFailure } from '../../../application/events/inference/inference-failure.ts';
import { MATCH_THRESHOLD_DEFAULT, TOP_K_DEFAULT } from '../../../domain/faces/match-threshold.ts';
import { TOP_K_MAX } from '../../../durable-objects/gallery/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { CollectionName } from '../collections/collection-name.ts';
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImagePart, imageBytesOf } from '../image-part.ts';
import { inferenceFailure } from '../inference/inference-failure.ts';
import { inferenceOf } from '../inference/inference-of.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { jsonOf } from '../wire.ts';
import { BoxSchema } from './detected-face-schema.ts';
import { otherModelError, queryVector } from './query-vector.ts';

/** Wider than any embedding in use. */
const EMBEDDING_WIDTH_MAX = 4_096;

const Decimal = z.string().regex(/^-?\d+(\.\d+)?$/);

const Vector = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'a JSON array of numbers' });
      return z.NEVER;
    }
  })
  .pipe(z.array(z.number()).min(1).max(EMBEDDING_WIDTH_MAX));

const SearchForm = z
  .object({
    image: ImagePart.optional(),
    embedding: Vector.optional().openapi({
      type: 'string',
      description: 'In place of an image: a JSON array of numbers, as wide as the model’s embeddings.',
    }),
    model: z
      .string()
      .max(128)
      .optional()
      .openapi({ description: 'The model that made `embedding`; checked when given.' }),
    model_version: z.string().max(128).optional(),
    collection: CollectionName,
    top_k: z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(TOP_K_MAX))
      .default(TOP_K_DEFAULT)
      .openapi({ type: 'integer', minimum: 1, maximum: TOP_K_MAX, default: TOP_K_DEFAULT }),
    threshold: Decimal.transform(Number)
      .pipe(z.number().min(-1).max(1))
      .default(MATCH_THRESHOLD_DEFAULT)
      .openapi({ type: 'number', minimum: -1, maximum: 1, default: MATCH_THRESHOLD_DEFAULT }),
  })
  .refine(({ image, embedding }) => (image === undefined) !== (embedding === undefined), {
    message: 'send either an image or an embedding',
    path: ['image'],
  });

const SearchResult = z
  .object({
    query_face: z
      .object({ bbox: BoxSchema, confidence: z.number() })
      .nullable()
      .openapi({ description: 'The largest face of the image; null for a search by embedding.' }),
    matches: z.array(
      z.object({
        face_id: z.string(),
        similarity: z.number().openapi({ description: 'Cosine, −1 to 1.' }),
        metadata: z.object({ name: z.string().nullable(), attendee_id: z.string().nullable() }),
      }),
    ),
  })
  .openapi('SearchResult');

type QueryFace = z.infer<typeof SearchResult>['query_face'];

type Query =
  | {
      readonly type: 'query';
      readonly face: QueryFace;
      readonly model: EmbeddingModel | null;
      readonly embedding: Float32Array;
    }
  | { readonly type: 'refused'; readonly error: ApiError }
  | { readonly type: 'not_analyzed'; readonly failure: InferenceFailure };

/** POST /v1/search: who in a collection resembles the largest face of an image, or an embedding. */
export function searchFacesRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'faces:search' },
      bucket: 'private',
      bodyBytesMax: IMAGE_BYTES_MAX + FORM_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/v1/search',
      tags: ['faces'],
      summary: 'Search a collection by face',
      request: { body: { required: true, content: { 'multipart/form-data': { schema: SearchForm } } } },
      responses: { 200: jsonOf('The best matches, best first; none when nobody passes the threshold.', SearchResult) },
    }),
    async (c) => {
      const form = c.req.valid('form');
      const open = await openCollection(c.env, tenancyOf(c).tenant, form.collection);
      if (open === null) return failure(c, notFound('the collection'));
      const query = await queryOf(c, open, form);
      if (query.type === 'refused') return failure(c, query.error);
      if (query.type === 'not_analyzed') return inferenceFailure(c, query.failure);
      const { face, model, embedding } = query;
      if (model === null) return c.json({ query_face: face, matches: [] }, 200);
      const found = await searchFaces(c.env, open, model, [{ embedding, topK: form.top_k, threshold: form.threshold }]);
      if (found.type === 'gone') return failure(c, notFound('the collection'));
      if (found.type === 'other_model') return failure(c, otherModelError(found.models));
      const matches = (found.matches[0] ?? []).map(({ faceId, similarity, attendee }) => ({
        face_id: faceId,
        similarity,
        metadata: { name: attendee?.name ?? null, attendee_id: attendee?.id ?? null },
      }));
      return c.json({ query_face: face, matches }, 200);
    },
  );
}

async function queryOf(c: AppContext, open: OpenCollection, form: z.infer<typeof SearchForm>): Promise<Query> {
  if (form.embedding !== undefined) {
    const raw = { values: form.embedding, model: form.model ?? null, modelVersion: form.model_version ?? null };
    const vector = await queryVector(c.env, open, raw);
    return vector.ok ? { type: 'query', face: null, ...vector } : { type: 'refused', error: vector.error };
  }
  const image = await imageBytesOf(form.image ?? new Blob());
  if (!image.ok) return { type: 'refused', error: image.error };
  const analysis = await inferenceOf(c).faces(image.bytes, 'largest');
  if (!analysis.ok) return { type: 'not_analyzed', failure: analysis.failure };
  const { model, faces } = analysis.value;
  const face = faces.find(({ embedding }) => embedding !== null);
  if (face?.embedding == null)
    return { type: 'refused', error: apiError('VALIDATION_ERROR', 'the image shows no face', { reason: 'no_face' }) };
  return {
    type: 'query',
    face: { bbox: [...face.bbox], confidence: face.confidence },
    model,
    embedding: decodeEmbedding(face.embedding, model),
  };
}
