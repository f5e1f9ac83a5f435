import type { paths } from './generated/events-api.ts';
import { eventsOperations } from './generated/events-operations.ts';
import { ProfileClient } from './profile-client.ts';
import type { TransportOptions } from './wire/transport.ts';

export type { components as EventsTypes, paths as EventsPaths } from './generated/events-api.ts';

/** Events: attendees, cameras, faces, the timeline. */
export class EventsClient extends ProfileClient<paths> {
  constructor(options: TransportOptions) {
    super(options, eventsOperations);
  }
}
