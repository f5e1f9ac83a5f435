import type { Database } from '../../../../data/database.ts';
import type { Role } from '../../../../domain/identity/principal.ts';
import { type Answer, type CallOptions, call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { tokenWith } from '../../fixtures/forged-token.ts';

/** Somebody who works for a tenant, over HTTP as any client. */
export interface Staff {
  readonly owner: string;
  readonly userId: string;
  readonly bearer: { readonly authorization: string };
  /** `METHOD /path` within the events profile. */
  ask(target: string, options?: CallOptions): Promise<Answer>;
  /** Sends a multipart form; a field with several values has several parts. */
  send(target: string, fields: FormFields, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export type FormFields = Readonly<Record<string, string | File | readonly (string | File)[]>>;

export async function staffOf(db: Database, owner: string, roles: readonly Role[] = ['event_admin']): Promise<Staff> {
  const { userId } = await createTrader(db, { owner, roles });
  return staffWith({ userId, owner });
}

/** Somebody who is there, by a token of their own. @param tenant its claim of that name; none where it is left out */
export async function staffWith({ userId, owner }: Pick<Staff, 'userId' | 'owner'>, tenant?: string): Promise<Staff> {
  const bearer = { authorization: `Bearer ${await tokenWith({ subject: userId, owner, tenant })}` };
  const ask: Staff['ask'] = (target, options = {}) => {
    const [method, path] = target.split(' ');
    return call(`${method} /events-service${path}`, { ...options, headers: { ...bearer, ...options.headers } });
  };
  return {
    owner,
    userId,
    bearer,
    ask,
    async send(target, fields, headers = {}) {
      const encoded = new Response(formOf(fields));
      const body = await encoded.arrayBuffer();
      const type = encoded.headers.get('content-type') ?? '';
      return ask(target, { body, headers: { ...headers, 'content-type': type } });
    },
  };
}

function formOf(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) form.append(name, value as string);
  return form;
}

/** An event of the tenant with a room and a camera in it. */
export interface Venue {
  readonly eventId: string;
  readonly roomId: string;
  readonly cameraId: string;
}

export async function venueOf(staff: Staff, type = 'entry'): Promise<Venue> {
  const eventId = await createdBy(staff, 'POST /events', { name: 'Fair', date: '2026-11-21', end_date: '2026-11-23' });
  const roomId = await createdBy(staff, 'POST /rooms', { event_id: eventId, name: 'Hall', capacity: 100 });
  const source = 'rtsp://cameras.example/1';
  const cameraId = await createdBy(staff, 'POST /cameras', { room_id: roomId, name: 'Door', type, source });
  return { eventId, roomId, cameraId };
}

async function createdBy(staff: Staff, target: string, json: object): Promise<string> {
  const { status, body } = await staff.ask(target, { json });
  if (status !== 201) throw new Error(`${target}: ${status} ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}
