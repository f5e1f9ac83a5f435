import type { Profile } from '../../middleware/profile.ts';
import { eraseAttendeeRoute } from './erase-attendee-route.ts';
import { exportAttendeeRoute } from './export-attendee-route.ts';
import { getPhotoRoute } from './get-photo-route.ts';
import { registerGetAttendee, registerListAttendees } from './read-attendees.ts';

export function registerAttendeeRoutes(events: Profile): void {
  registerListAttendees(events);
  registerGetAttendee(events);
  exportAttendeeRoute(events);
  getPhotoRoute(events);
  eraseAttendeeRoute(events);
}
