import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { findCollection } from '../../../../data/events/images/collections.ts';
import { faces } from '../../../../data/events/schema.ts';
import { migrate } from '../../fixtures/migrate.ts';
import worker from '../../main.ts';
import { type Staff, staffOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

let staff: Staff;

beforeAll(async () => {
  staff = await staffOf(await migrate(), 'org-shards');
});

/** A Worker whose galleries `<n` take no more vectors. */
function withFull(shards: number): Env {
  const getByName = (name: string) => {
    const gallery = env.GALLERY.getByName(name);
    if (Number(name.split('/').at(-1)) >= shards) return gallery;
    return new Proxy(gallery, {
      get: (target, call) => (call === 'add' ? async () => ({ type: 'full' }) : Reflect.get(target, call).bind(target)),
    });
  };
  return { ...env, GALLERY: { getByName } as unknown as Env['GALLERY'] };
}

async function upload(person: string, by: Env): Promise<void> {
  const form = new FormData();
  form.append('image', imageOf({ faces: [faceOf(person)] }));
  form.append('collection', 'large');
  const request = new Request('http://localhost/events-service/v1/faces', {
    method: 'POST',
    body: form,
    headers: staff.bearer,
  });
  const wire = request as Parameters<NonNullable<typeof worker.fetch>>[0];
  expect((await worker.fetch?.(wire, by, createExecutionContext()))?.status).toBe(200);
}

async function matchesOf(person: string): Promise<{ face_id: string }[]> {
  const fields = { image: imageOf({ faces: [faceOf(person)] }), collection: 'large' };
  return ((await staff.send('POST /v1/search', fields)).body as { matches: { face_id: string }[] }).matches;
}

it('a collection beyond one gallery grows over more, and is searched and emptied as one', async () => {
  await upload('first', withFull(0));
  await upload('second', withFull(1));
  await upload('third', withFull(2));
  const db = eventsDatabase(env.EVENTS_DB);
  expect((await findCollection(db, staff.owner, 'large'))?.shards).toBe(3);
  expect((await db.select({ shard: faces.shard }).from(faces)).map(({ shard }) => shard)).toEqual([0, 1, 2]);
  for (const person of ['first', 'second', 'third']) {
    const [match, another] = await matchesOf(person);
    expect([match === undefined, another]).toEqual([false, undefined]);
    expect((await staff.ask(`DELETE /v1/faces/${match?.face_id}`)).status).toBe(204);
    expect(await matchesOf(person)).toEqual([]);
  }
});
