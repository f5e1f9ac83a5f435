import { createRoute } from '@hono/zod-openapi';
import { searchCollection } from '../../../application/events/faces/search-collection.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { IMAGE_BODY_BYTES_MAX } from '../image-part.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { callerOf } from '../tenancy.ts';
import { SearchForm, SearchResult, searchOf, searchResultView } from './search-schema.ts';

/** POST /v1/search: who in a collection resembles the largest face of an image, or an embedding. */
export function searchFacesRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'faces:search' },
      bucket: 'private',
      errors: ['NOT_FOUND', 'CONFLICT'],
      bodyBytesMax: IMAGE_BODY_BYTES_MAX,
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
      const found = await searchCollection(c.env, callerOf(c), searchOf(c.req.valid('form')));
      if (!found.ok) return answerRefusal(c, found.error);
      return c.json(searchResultView(found.value, await mayReadAttendees(c)), 200);
    },
  );
}
