import { createRoute, z } from '@hono/zod-openapi';
import { type OpenCollection, openEventCollection } from '../../../application/events/collections/open-collection.ts';
import { storePhotos } from '../../../application/events/faces/store-photos.ts';
import { findAttendee, sealProfile } from '../../../data/events/attendees/attendees.ts';
import { addPhotosOf, attendeeWithEmail, registerAttendee } from '../../../data/events/attendees/register-attendee.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { photosOfAttendee } from '../../../data/events/images/faces.ts';
import { numberedId } from '../../../domain/faces/numbered-id.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { detectedFace } from '../../../protocol/events/detected-face.ts';
import { type AppContext, principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { AttendeeRecord, attendeeView } from '../attendees/attendee-schema.ts';
import { DetectedFaceSchema } from '../faces/detected-face-schema.ts';
import { FORM_BYTES_MAX, IMAGE_BYTES_MAX, ImagePart, imageBytesOf } from '../image-part.ts';
import { inferenceFailure } from '../inference/inference-failure.ts';
import { inferenceOf } from '../inference/inference-of.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import { jsonOf } from '../wire.ts';
import { examinePhotos } from './examine-photos.ts';

const PHOTOS_PER_CALL_MAX = 5;
const PHOTOS_PER_ATTENDEE_MAX = 20;
/** All photos of a call together: they lie in memory at once. */
const BODY_BYTES_MAX = 2 * IMAGE_BYTES_MAX + FORM_BYTES_MAX;

const RegistrationForm = z
  .object({
    photo: z
      .union([ImagePart, z.array(ImagePart).min(1).max(PHOTOS_PER_CALL_MAX)])
      .openapi({ description: 'One part per photo, at most five a call.' }),
    name: z.string().trim().min(1).max(200).optional(),
    email: z.string().trim().pipe(z.email().max(320)).optional(),
    consent: z
      .literal('true')
      .optional()
      .openapi({ description: 'That the attendee has agreed to be recognized; required of a new attendee.' }),
    consent_text: z.string().trim().min(1).max(10_000).optional().openapi({ description: 'What they have agreed to.' }),
    attendee_id: z
      .uuid()
      .optional()
      .openapi({ description: 'Adds photos to this attendee; then nothing else is sent.' }),
  })
  .superRefine(({ attendee_id, ...form }, context) => {
    for (const field of ['name', 'email', 'consent', 'consent_text'] as const) {
      if ((form[field] === undefined) !== (attendee_id !== undefined)) {
        const message = attendee_id === undefined ? 'required of a new attendee' : 'not with attendee_id';
        context.addIssue({ code: 'custom', path: [field], message });
      }
    }
  });

type RegistrationForm = z.infer<typeof RegistrationForm>;

const Registered = AttendeeRecord.extend({ faces: z.array(DetectedFaceSchema) }).openapi('RegisteredAttendee');

/**
 * POST /register-attendee/{event_id}: a new attendee with one photo or more, or more photos of one. Whole or not at all; the address
 * of another attendee is CONFLICT with their id.
 */
export function registerAttendeeRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'bearer', permission: 'attendees:write' },
      bucket: 'private',
      idempotent: 'unstored',
      bodyBytesMax: BODY_BYTES_MAX,
    },
    createRoute({
      method: 'post',
      path: '/register-attendee/{event_id}',
      tags: ['attendees'],
      summary: 'Register an attendee by photograph, or add photographs',
      request: {
        params: z.object({ event_id: z.string() }),
        body: { required: true, content: { 'multipart/form-data': { schema: RegistrationForm } } },
      },
      responses: { 201: jsonOf('The attendee, and the faces that are stored of the photos sent.', Registered) },
    }),
    async (c) => {
      const form = c.req.valid('form');
      const open = await openEventCollection(c.env, tenancyOf(c).tenant, c.req.valid('param').event_id);
      if (open === null) return failure(c, notFound('event'));
      const who = await attendeeOf(c, open, form);
      if (!who.ok) return failure(c, who.error);
      const images = await Promise.all([form.photo].flat().map(imageBytesOf));
      const unfit = images.find((image) => !image.ok);
      if (unfit !== undefined && !unfit.ok) return failure(c, unfit.error);
      const bytes = images.flatMap((image) => (image.ok ? [image.bytes] : []));
      const inference = inferenceOf(c);
      const analyses = await Promise.all(bytes.map((image) => inference.faces(image, 'qualified')));
      const failed = analyses.find((analysis) => !analysis.ok);
      if (failed !== undefined && !failed.ok) return inferenceFailure(c, failed.failure);
      const examined = examinePhotos(analyses.flatMap((analysis) => (analysis.ok ? [analysis.value] : [])));
      if (!examined.ok) return failure(c, examined.error);

      // Of the request's id the first is the attendee's, then each photo and its face take two.
      const faces = examined.faces.map((face, at) => ({ id: numberedId(resourceIdOf(c), 2 * at + 2), face }));
      const photos = faces.map((one, at) => ({
        id: numberedId(resourceIdOf(c), 2 * at + 1),
        image: bytes[at] ?? new Uint8Array(),
        faces: [one],
      }));
      const subject = { attendeeId: who.id, attendeeTag: await open.key.tag('attendee', who.id) };
      const stored = await storePhotos(c.env, open, examined.model, photos, subject, (now) =>
        who.confirm(
          photos.map(({ id }) => id),
          now,
        ),
      );
      const attendee = stored ? await attendeeById(c, open, who.id) : null;
      if (attendee === null) return failure(c, await refusalOf(c, open, form));
      return c.json(
        { ...attendeeView(attendee), faces: faces.map(({ id, face }) => detectedFace(id, face, null)) },
        201,
      );
    },
  );
}

type Registrant =
  | {
      readonly ok: true;
      readonly id: string;
      /** Makes them an attendee, or finds that they are, with these photos. */
      readonly confirm: (photoIds: readonly string[], now: number) => Promise<boolean>;
    }
  | { readonly ok: false; readonly error: ApiError };

async function attendeeOf(c: AppContext, open: OpenCollection, form: RegistrationForm): Promise<Registrant> {
  const db = eventsDatabase(c.env.EVENTS_DB);
  const { key, collection } = open;
  const { tenant } = collection;
  const eventId = collection.name;
  const { attendee_id: attendeeId, name = '', email = '', consent_text: consentText = '' } = form;
  if (attendeeId !== undefined) {
    if ((await attendeeById(c, open, attendeeId)) === null) return { ok: false, error: notFound('attendee') };
    const known = await photosOfAttendee(db, collection.id, await key.tag('attendee', attendeeId));
    if (known.length + [form.photo].flat().length > PHOTOS_PER_ATTENDEE_MAX)
      return {
        ok: false,
        error: apiError('CONFLICT', 'the attendee has too many photos', { photos_max: PHOTOS_PER_ATTENDEE_MAX }),
      };
    return {
      ok: true,
      id: attendeeId,
      confirm: (photoIds, now) => addPhotosOf(db, { eventId, attendeeId, now }, photoIds),
    };
  }
  const id = resourceIdOf(c);
  const emailTag = await emailTagOf(open, email);
  const other = await attendeeWithEmail(db, eventId, emailTag);
  if (other !== null && other !== id) return { ok: false, error: registeredError(other) };
  return {
    ok: true,
    id,
    confirm: async (photoIds, now) =>
      registerAttendee(
        db,
        {
          id,
          tenant,
          eventId,
          sealedProfile: await sealProfile(key, id, { name, email }),
          emailTag,
          consentAt: now,
          consentBy: principalOf(c).userId,
          consentText,
        },
        photoIds,
      ),
  };
}

/** Why the attendee is none, though everything was in order when the request came. */
async function refusalOf(c: AppContext, open: OpenCollection, form: RegistrationForm): Promise<ApiError> {
  const db = eventsDatabase(c.env.EVENTS_DB);
  if (form.email !== undefined) {
    const other = await attendeeWithEmail(db, open.collection.name, await emailTagOf(open, form.email));
    if (other !== null && other !== resourceIdOf(c)) return registeredError(other);
  }
  return apiError('CONFLICT', 'the event or the attendee was deleted meanwhile, or the call interrupted: repeat it');
}

function registeredError(attendeeId: string): ApiError {
  return apiError('CONFLICT', 'an attendee with this email is registered', {
    reason: 'email_registered',
    attendee_id: attendeeId,
  });
}

function attendeeById(c: AppContext, { key, collection }: OpenCollection, id: string) {
  return findAttendee(eventsDatabase(c.env.EVENTS_DB), key, collection.name, id);
}

/** Addresses that differ in case alone are one. */
function emailTagOf({ key }: OpenCollection, email: string): Promise<string> {
  return key.tag('email', email.toLowerCase());
}
