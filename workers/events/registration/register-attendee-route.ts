import { createRoute, z } from '@hono/zod-openapi';
import { registerByPhoto } from '../../../application/events/registration/register-by-photo.ts';
import type { NewAttendee } from '../../../application/events/registration/registrant.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { AttendeeRecord, attendeeView } from '../attendees/attendee-schema.ts';
import { DetectedFaceSchema } from '../faces/detected-face-schema.ts';
import { IMAGES_BODY_BYTES_MAX, ImagePart } from '../image-part.ts';
import { callerOf } from '../tenancy.ts';

const PHOTOS_PER_CALL_MAX = 5;

const RegistrationForm = z
  .strictObject({
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

const Registered = AttendeeRecord.extend({ faces: z.array(DetectedFaceSchema) }).openapi('RegisteredAttendee');

/**
 * POST /register-attendee/{event_id}: a new attendee with one photo or more, or more photos of one. Whole or not at all; the address
 * of another attendee is CONFLICT with their id.
 */
export function registerAttendeeRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'attendees:write' },
      bucket: 'private',
      idempotent: 'unstored',
      bodyBytesMax: IMAGES_BODY_BYTES_MAX,
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
      const { photo, attendee_id: attendeeId, ...form } = c.req.valid('form');
      const registered = await registerByPhoto(c.env, callerOf(c), {
        eventId: c.req.valid('param').event_id,
        id: resourceIdOf(c),
        who: attendeeId ?? newAttendeeOf(form, principalOf(c).userId),
        photos: [photo].flat(),
      });
      if (!registered.ok) return answerRefusal(c, registered.error);
      const { attendee, faces } = registered.value;
      return c.json({ ...attendeeView(attendee), faces: [...faces] }, 201);
    },
  );
}

function newAttendeeOf(
  { name = '', email = '', consent_text: consentText = '' }: Partial<z.infer<typeof RegistrationForm>>,
  consentBy: string,
): NewAttendee {
  return { name, email, consentText, consentBy };
}
