import type { Profile } from '../../middleware/profile.ts';
import { registerEraseAttendee } from './erase-attendee-route.ts';
import { registerExportAttendee } from './export-attendee.ts';
import { registerGetPhoto } from './get-photo.ts';
import { registerGetAttendee, registerListAttendees } from './read-attendees.ts';

export function registerAttendeeRoutes(events: Profile): void {
  registerListAttendees(events);
  registerGetAttendee(events);
  registerExportAttendee(events);
  registerGetPhoto(events);
  registerEraseAttendee(events);
}
