import { createRoute, z } from '@hono/zod-openapi';
import { registerByPhoto } from '../../../application/events/registration/register-by-photo.ts';
import type { NewAttendee } from '../../../application/events/registration/registrant.ts';
import { isEmailAddress } from '../../../domain/events/email-address.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { freeText } from '../../responses/free-text.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
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
    name: lineOfText(200).optional(),
    email: z
      .string()
      .trim()
      .refine(isEmailAddress, 'is no email address')
      .optional()
      .openapi({ format: 'idn-email', description: 'RFC 6531: characters beyond ASCII are taken.' }),
    consent: z.literal('true').optional().openapi({
      description:
        'That the attendee has agreed to be recognized; required of a new attendee where the event has no consent_text.',
    }),
    consent_text: freeText(10_000).min(1).optional().openapi({ description: 'What they have agreed to.' }),
    attendee_id: z
      .uuid()
      .optional()
      .openapi({ description: 'Adds photos to this attendee; then nothing else is sent.' }),
  })
  .superRefine(({ attendee_id, ...form }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    for (const field of ['name', 'email'] as const)
      if (attendee_id === undefined && form[field] === undefined) refuse(field, 'required of a new attendee');
    for (const field of ['name', 'email', 'consent', 'consent_text'] as const)
      if (attendee_id !== undefined && form[field] !== undefined) refuse(field, 'not with attendee_id');
    if ((form.consent === undefined) !== (form.consent_text === undefined))
      refuse(form.consent === undefined ? 'consent' : 'consent_text', 'both or neither');
  });

const Faces = z.array(DetectedFaceSchema);
const Registered = AttendeeRecord.extend({ faces: Faces }).openapi('RegisteredAttendee');
const NothingStored = z
  .object({
    id: z.string().nullable().openapi({ description: 'Of the attendee who was to get photos; null for somebody new.' }),
    registered: z.boolean().openapi({ description: 'Whether there is such an attendee: false for somebody new.' }),
    faces: Faces,
  })
  .openapi('NothingStored');

/**
 * POST /register-attendee/{event_id}: a new attendee with one photo or more, or more photos of one. The address of another attendee is CONFLICT with
 * their id. Poor faces are no error (E-ERR-01): 201 where a photo was stored, 200 where none was good enough.
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
      responses: {
        201: jsonOf(
          'The attendee, and the faces of the photos: those that are stored, then the others with their reasons.',
          Registered,
        ),
        200: jsonOf('Nothing was stored, for no face is good enough; each says by which rule.', NothingStored),
      },
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
      const { attendee, photosStored, faces } = registered.value;
      if (attendee === null || photosStored === 0)
        return c.json({ id: attendee?.id ?? null, registered: attendee !== null, faces: [...faces] }, 200);
      return c.json({ ...attendeeView(attendee), faces: [...faces] }, 201);
    },
  );
}

function newAttendeeOf(
  { name = '', email = '', consent_text: text }: Partial<z.infer<typeof RegistrationForm>>,
  by: string,
): NewAttendee {
  return { name, email, consent: text === undefined ? null : { text, by } };
}
