import type { Profile } from '../../middleware/profile.ts';
import { registerCreateEvent } from './create-event.ts';
import { registerDeleteEvent } from './delete-event.ts';
import { registerGetEvent } from './get-event.ts';
import { registerLeave } from './leave-route.ts';
import { registerListEvents } from './list-events.ts';
import { registerShredEvent } from './shred-event-route.ts';

export function registerEventRoutes(events: Profile): void {
  registerListEvents(events);
  registerCreateEvent(events);
  registerGetEvent(events);
  registerDeleteEvent(events);
  registerShredEvent(events);
  registerLeave(events);
}
