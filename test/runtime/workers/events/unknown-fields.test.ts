import { beforeAll, describe, expect, it } from 'vitest';
import { call, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

interface Schema {
  readonly $ref?: string;
  readonly additionalProperties?: unknown;
}

interface ApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> } }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let staff: Staff;
let venue: Venue;

beforeAll(async () => {
  staff = await staffOf(await migrate(), 'org-unknown-fields');
  venue = await venueOf(staff);
});

describe('a body of the events service', () => {
  it('with a field that its schema has not is refused, on every route', async () => {
    const { paths, components } = (await call('GET /events-service/openapi.json')).body as ApiDocument;
    const bodies = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        Object.entries(requestBody?.content ?? {})
          .filter(([type]) => type === 'application/json' || type === 'multipart/form-data')
          .map(([, { schema }]) => ({ route: `${method} ${path}`, schema })),
      ),
    );
    expect(bodies.length).toBeGreaterThan(15);
    const open = bodies.filter(({ schema }) => {
      const named = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!];
      return named?.additionalProperties !== false;
    });
    expect(open.map(({ route }) => route)).toEqual([]);
  });

  it('that misspells a capacity makes no room without alerts', async () => {
    const room = { event_id: venue.eventId, name: 'Stage', capcity: 5 };
    const answer = await staff.ask('POST /rooms', { json: room });
    expect([codeOf(answer), JSON.stringify(answer.body)]).toEqual([
      'VALIDATION_ERROR',
      expect.stringContaining('capcity'),
    ]);
    const { body } = await staff.ask(`GET /rooms?event_id=${venue.eventId}`);
    expect((body as { rooms: { name: string }[] }).rooms.map(({ name }) => name)).not.toContain('Stage');
  });

  it('that misspells a threshold makes no search by another', async () => {
    const query = { image: imageOf({ faces: [faceOf('ana')] }), collection: venue.eventId, treshold: '0.9' };
    expect(codeOf(await staff.send('POST /v1/search', query))).toBe('VALIDATION_ERROR');
  });
});
