import type { VectorMatch } from '../../domain/faces/vector-match.ts';
import type { EmbeddingModel } from '../../protocol/inference/wire.ts';

/**
 * One shard of one collection's face vectors: `getByName(galleryName(tenant, collectionId, shard))`. The vectors lie in the object's
 * storage in blocks sealed under the key of the collection's scope, and in its memory quantized; without the key it holds nothing
 * that can be read. Calls may be repeated: each has its effect once.
 */
export interface GalleryApi {
  /**
   * Stores vectors, at most 10,000 a call; those whose id is stored already under this model are left as they are. All of them, or
   * none when they do not fit.
   */
  add(scope: GalleryScope, model: EmbeddingModel, vectors: readonly NewVector[]): Promise<AddAnswer>;
  /** Deletes faces, from memory and from storage; how many were there. */
  remove(scope: GalleryScope, faceIds: readonly string[]): Promise<RemoveAnswer>;
  /** The nearest faces of each query, by exact cosine similarity, best first; of a subject with several faces only the best. */
  search(scope: GalleryScope, model: EmbeddingModel, queries: readonly VectorQuery[]): Promise<SearchAnswer>;
  /** The vectors of faces, of each model that has embedded them. For comparing faces of one person; they go no further than the Worker. */
  vectors(scope: GalleryScope, faceIds: readonly string[]): Promise<VectorsAnswer>;
  status(scope: GalleryScope): Promise<GalleryStatus>;
  /** Forgets the vectors in memory and deletes all storage: the collection is deleted or its key destroyed. */
  erase(): Promise<void>;
}

/** Whose key seals the vectors: the key store's tenant and scope. */
export interface GalleryScope {
  readonly tenant: string;
  readonly scope: string;
  readonly collectionId: string;
}

export interface NewVector {
  readonly faceId: string;
  /** The attendee; null for a face that belongs to none. Travels sealed with the vector. */
  readonly subject: string | null;
  /** Unit length, `model.dimensions` wide. */
  readonly embedding: Float32Array;
}

export interface VectorQuery {
  readonly embedding: Float32Array;
  /** 1..GALLERY_TOP_K_MAX. */
  readonly topK: number;
  /** Least similarity, −1..1, inclusive. */
  readonly threshold: number;
  /** Leaves out faces of no subject: however many there are, they take no place of an attendee. */
  readonly subjectsOnly?: boolean;
}

/** `key_destroyed`: nothing can be read or written any more. `full`: this shard takes no more vectors. */
export type AddAnswer = { readonly type: 'added'; readonly size: number } | { readonly type: 'full' | 'key_destroyed' };
export type RemoveAnswer = { readonly type: 'removed'; readonly count: number } | { readonly type: 'key_destroyed' };
export type SearchAnswer =
  | { readonly type: 'found'; readonly matches: readonly (readonly VectorMatch[])[] }
  | { readonly type: 'key_destroyed' };

export interface StoredVector {
  readonly faceId: string;
  readonly model: EmbeddingModel;
  readonly embedding: Float32Array;
}
export type VectorsAnswer =
  | { readonly type: 'read'; readonly vectors: readonly StoredVector[] }
  | { readonly type: 'key_destroyed' };

export interface GalleryStatus {
  readonly size: number;
  /** Vectors of each model; more than one while a collection is embedded again. */
  readonly models: readonly { readonly model: EmbeddingModel; readonly size: number }[];
  readonly memoryBytes: number;
}

/** Vectors of one shard at 128 dimensions, fewer of wider ones: about 32 MB in memory, within an object's 128 MB beside its other needs. */
export const SHARD_VECTORS_MAX = 250_000;
/** What a caller of the service may ask for. */
export const TOP_K_MAX = 100;
/** What a shard may be asked for: a search that drops some of what it finds asks again for more. */
export const GALLERY_TOP_K_MAX = 1_600;

export function galleryName(tenant: string, collectionId: string, shard: number): string {
  return `${tenant}/${collectionId}/${shard}`;
}

/**
 * A fresh stub of a shard. After an exception a stub stays broken, so one is made for every call. The binding's type wraps every value in
 * disposables, which plain data never is; the object implements this interface.
 */
export function galleryOf(env: { readonly GALLERY: { getByName(name: string): unknown } }, name: string): GalleryApi {
  return env.GALLERY.getByName(name) as GalleryApi;
}
