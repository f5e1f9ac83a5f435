import { createProfile } from '../middleware/profile.ts';
import { registerAttendeeRoutes } from './attendees/register-attendee-routes.ts';
import { registerCameraRoutes } from './cameras/camera-routes.ts';
import { collectionRoutes } from './collections/collection-routes.ts';
import { reembedRoutes } from './collections/reembed-routes.ts';
import { registerCorrectionRoutes } from './corrections/register-correction-routes.ts';
import { createJobRoute } from './enhance/create-job-route.ts';
import { readJobRoute } from './enhance/read-job-route.ts';
import { resultRoute } from './enhance/result-route.ts';
import { registerEventRoutes } from './events/register-event-routes.ts';
import { deleteFaceRoute } from './faces/delete-face-route.ts';
import { searchRoute } from './faces/search-route.ts';
import { uploadFacesRoute } from './faces/upload-faces-route.ts';
import { frameBatchRoute } from './frames/frame-batch-route.ts';
import { frameRoute } from './frames/frame-route.ts';
import { healthRoutes } from './health/health-routes.ts';
import { registerInviteRoutes } from './invites/invite-routes.ts';
import { registerGetAlerts } from './occupancy/get-alerts.ts';
import { registerGetOccupancy } from './occupancy/get-occupancy.ts';
import { registerRbacRoutes } from './rbac/rbac-routes.ts';
import { deleteAttendeeFacesRoute } from './registration/delete-attendee-faces-route.ts';
import { registerAttendeeRoute } from './registration/register-attendee-route.ts';
import { registerRoomRoutes } from './rooms/room-routes.ts';
import { registerTimelineRoutes } from './timeline/register-timeline-routes.ts';
import { weaponsRoute } from './weapons/weapons-route.ts';

export const events = createProfile({
  name: 'events',
  title: 'Event face recognition',
  description:
    'Events, rooms, cameras, attendees and invites; faces, search, weapons and image enhancement (events.md).',
  hasOwnHealth: true,
});

registerEventRoutes(events);
registerRoomRoutes(events);
registerCameraRoutes(events);
registerAttendeeRoutes(events);
registerInviteRoutes(events);
registerTimelineRoutes(events);
registerCorrectionRoutes(events);
registerGetOccupancy(events);
registerGetAlerts(events);
registerRbacRoutes(events);

uploadFacesRoute(events);
searchRoute(events);
deleteFaceRoute(events);
collectionRoutes(events);
weaponsRoute(events);
healthRoutes(events);
registerAttendeeRoute(events);
deleteAttendeeFacesRoute(events);
frameRoute(events);
frameBatchRoute(events);
createJobRoute(events);
readJobRoute(events);
resultRoute(events);
reembedRoutes(events);
