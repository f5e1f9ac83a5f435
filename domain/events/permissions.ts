/** What a caller of the events service may do; each route declares the one it needs (docs/design/identity.md#roles-and-permissions). */
export const PERMISSIONS = {
  'events:read': 'See events, rooms and cameras',
  'events:write': 'Create events and rooms',
  'events:delete': 'Delete events, and take that back while they are retained',
  'events:shred': 'End the retention of an event that somebody else deleted',
  'collections:delete': 'Delete collections, and take that back while they are retained',
  'tenant:leave': 'Ask that the tenant leaves',
  'cameras:write': 'Create cameras, and see the credentials in their addresses',
  'frames:write': 'Send frames of a camera',
  'attendees:read': 'See attendees and invites',
  'attendees:write': 'Register attendees and their photographs, and change invites',
  'attendees:erase': 'Export and erase everything held on one attendee',
  'timeline:read': 'See the timeline, occupancy and alerts',
  'timeline:correct': 'Correct timeline entries',
  'faces:write': 'Store and delete faces of a collection',
  'faces:search': 'Search a collection by face',
  'weapons:detect': 'Detect weapons in an image',
  'images:enhance': 'Enhance images',
  'trail:read': 'See what staff did with attendees and faces',
  'webhooks:write': 'Register webhooks, and see what was sent to them',
  'roles:read': 'See roles and permissions',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const EVENT_ROLES = ['event_admin', 'event_operator', 'event_viewer', 'event_camera'] as const;

export type EventRole = (typeof EVENT_ROLES)[number];

/** The roles as the migration of the events database lays them down. @internal */
export const ROLES: Readonly<
  Record<EventRole, { readonly description: string; readonly permissions: readonly Permission[] }>
> = {
  event_admin: {
    description: 'Runs the tenant’s events',
    permissions: Object.keys(PERMISSIONS) as Permission[],
  },
  event_operator: {
    description: 'Works at an event: registers, corrects, searches',
    permissions: [
      'events:read',
      'attendees:read',
      'attendees:write',
      'frames:write',
      'timeline:read',
      'timeline:correct',
      'faces:write',
      'faces:search',
      'weapons:detect',
      'images:enhance',
      'roles:read',
    ],
  },
  event_viewer: {
    description: 'Watches: events, timeline and occupancy',
    permissions: ['events:read', 'timeline:read', 'roles:read'],
  },
  event_camera: { description: 'A camera or the agent that reads it', permissions: ['frames:write'] },
};
