import { DurableObject } from 'cloudflare:workers';
import { openScopeKeys } from '../../data/events/keys/r2-scope-keys.ts';
import type { GalleryApi, GalleryScope } from '../../durable-objects/gallery/api.ts';
import { Gallery } from '../../durable-objects/gallery/gallery.ts';
import { DIMENSIONS, type Distribution, faceIdOf, queryOf, subjectOf, writeVector } from '../search/face-vectors.ts';
import { plainSearch, plainVectors } from '../search/plain-search.ts';

const MODEL = { name: 'bench', version: '1', dimensions: DIMENSIONS };
const FILL_VECTORS = 10_000;

/** The gallery as deployed; the bench loses it, so that the next call has to load it. */
export class LosableGallery extends Gallery {
  lose(): never {
    this.ctx.abort('lost by the bench');
    throw new Error('lost by the bench');
  }
}

/** The plain loop in an object of its own, vectors in memory alone. */
export class PlainGallery extends DurableObject {
  #vectors: Float32Array | null = null;

  search(distribution: Distribution, size: number, queries: readonly Float32Array[], topK: number): number {
    this.#vectors ??= plainVectors(distribution, size);
    let found = 0;
    for (const query of queries) found += plainSearch(this.#vectors, query, topK).length;
    return found;
  }
}

interface BenchEnv {
  readonly EVENT_KEYS: R2Bucket;
  readonly EVENTS_MASTER_KEY: string;
  readonly GALLERY: DurableObjectNamespace<LosableGallery>;
  readonly PLAIN: DurableObjectNamespace<PlainGallery>;
}

/** `/fill`, `/search`, `/plain`, `/status`, `/lose`, each with `distribution`, `size` and, for searches, `from`, `count` and `top_k`. */
export default {
  async fetch(request, env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const number = (name: string) => Number(searchParams.get(name));
    const distribution = searchParams.get('distribution') as Distribution;
    const size = number('size');
    const name = `${distribution}-${size}`;
    const scope: GalleryScope = { tenant: 'bench', scope: `event:${name}`, collectionId: name };
    // The stub's type, with class-private members out of the way.
    const gallery = env.GALLERY.getByName(name) as unknown as GalleryApi & Pick<LosableGallery, 'lose'>;
    const plain = env.PLAIN.getByName(name);
    const queries = Array.from({ length: number('count') }, (_, at) =>
      queryOf(distribution, size, number('from') + at),
    );
    switch (pathname) {
      case '/fill':
        await openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).create(scope);
        for (let first = 0; first < size; first += FILL_VECTORS) {
          await gallery.add(scope, MODEL, vectors(distribution, first, Math.min(size, first + FILL_VECTORS)));
        }
        return Response.json(await gallery.status(scope));
      case '/search': {
        const terms = { topK: number('top_k'), threshold: -1 };
        const asked = queries.map((embedding) => ({ embedding, ...terms }));
        const answer = await gallery.search(scope, MODEL, asked);
        return Response.json(answer.type === 'found' ? answer.matches.flat().length : 0);
      }
      case '/plain':
        return Response.json(await plain.search(distribution, size, queries, number('top_k')));
      case '/status':
        return Response.json(await gallery.status(scope));
      case '/lose':
        await Promise.resolve(gallery.lose()).catch(() => undefined);
        return new Response();
      default:
        return new Response(null, { status: 404 });
    }
  },
} satisfies ExportedHandler<BenchEnv>;

function vectors(distribution: Distribution, from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) => {
    const embedding = new Float32Array(DIMENSIONS);
    writeVector(distribution, from + at, embedding);
    return { faceId: faceIdOf(from + at), subject: subjectOf(distribution, from + at), embedding };
  });
}
