import { z } from '@hono/zod-openapi';
import type {
  CollectionSearch,
  FoundFaces,
  SearchSubject,
} from '../../../application/events/faces/search-collection.ts';
import { TOP_K_DEFAULT } from '../../../domain/faces/match-rule.ts';
import { TOP_K_MAX } from '../../../durable-objects/gallery/api.ts';
import { endingEarly } from '../../../protocol/ending-early.ts';
import { CollectionName } from '../collections/collection-name.ts';
import { ImagePart } from '../image-part.ts';
import { BoxSchema, boxView } from './detected-face-schema.ts';

/** Wider than any embedding in use. */
const EMBEDDING_WIDTH_MAX = 4_096;

const Decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a decimal such as 0.5');

/** A number of 32 characters is more exact than any vector. */
const EMBEDDING_LENGTH_MAX = EMBEDDING_WIDTH_MAX * 32;

const Vector = z
  .string()
  .max(EMBEDDING_LENGTH_MAX)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'a JSON array of numbers' });
      return z.NEVER;
    }
  })
  .pipe(endingEarly(z.array(z.number()).min(1).max(EMBEDDING_WIDTH_MAX)));

export const SearchForm = z
  .strictObject({
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
      .regex(/^\d{1,3}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.int().min(1).max(TOP_K_MAX))
      .default(TOP_K_DEFAULT)
      .openapi({ type: 'integer', minimum: 1, maximum: TOP_K_MAX, default: TOP_K_DEFAULT }),
    threshold: Decimal.transform(Number).pipe(z.number().min(-1).max(1)).optional().openapi({
      type: 'number',
      minimum: -1,
      maximum: 1,
      description:
        'Least similarity of a match. Left out, that of the event whose collection it is, else of the model.',
    }),
  })
  .refine(({ image, embedding }) => (image === undefined) !== (embedding === undefined), {
    message: 'send either an image or an embedding',
    path: ['image'],
  });

export const SearchResult = z
  .object({
    query_face: z
      .object({ bbox: BoxSchema, confidence: z.number() })
      .nullable()
      .openapi({ description: 'The largest face of the image; null for a search by embedding.' }),
    ambiguous: z.boolean().openapi({
      description: 'Two attendees resemble the face nearly as much (match_margin): it is not sure which of them it is.',
    }),
    matches: z.array(
      z.object({
        face_id: z.string(),
        similarity: z.number().openapi({ description: 'Cosine, −1 to 1.' }),
        metadata: z.object({
          name: z.string().nullable().openapi({ description: 'Null too for those who may not see attendees.' }),
          attendee_id: z.string().nullable(),
        }),
      }),
    ),
  })
  .openapi('SearchResult');

export function searchOf({
  image,
  embedding,
  model,
  model_version,
  ...form
}: z.infer<typeof SearchForm>): CollectionSearch {
  const { collection, top_k: topK, threshold = null } = form;
  const vector = { values: embedding ?? [], model: model ?? null, modelVersion: model_version ?? null };
  const subject: SearchSubject = image === undefined ? { type: 'vector', vector } : { type: 'image', image };
  return { collection, topK, threshold, subject };
}

/** What was found as it is shown; `named` to callers who may see attendees. */
export function searchResultView(
  { queryFace, matches, isAmbiguous }: FoundFaces,
  named: boolean,
): z.infer<typeof SearchResult> {
  return {
    query_face: queryFace && { bbox: boxView(queryFace.bbox), confidence: queryFace.confidence },
    ambiguous: isAmbiguous,
    matches: matches.map(({ faceId, similarity, attendee }) => ({
      face_id: faceId,
      similarity,
      metadata: { name: named ? (attendee?.name ?? null) : null, attendee_id: attendee?.id ?? null },
    })),
  };
}
