import { createProfile } from '../middleware/profile.ts';
import { registerAttendeeRoutes } from './attendees/register-attendee-routes.ts';
import { registerCameraRoutes } from './cameras/camera-routes.ts';
import { collectionRoutes } from './collections/collection-routes.ts';
import { reembedRoutes } from './collections/reembed-routes.ts';
import { registerCorrectionRoutes } from './corrections/register-correction-routes.ts';
import { createJobRoute } from './enhance/create-job-route.ts';
import { getJobRoute } from './enhance/get-job-route.ts';
import { getResultRoute } from './enhance/get-result-route.ts';
import { registerEventRoutes } from './events/register-event-routes.ts';
import { deleteFaceRoute } from './faces/delete-face-route.ts';
import { searchFacesRoute } from './faces/search-faces-route.ts';
import { uploadFacesRoute } from './faces/upload-faces-route.ts';
import { takeFrameBatchRoute } from './frames/take-frame-batch-route.ts';
import { takeFrameRoute } from './frames/take-frame-route.ts';
import { healthRoutes } from './health/health-routes.ts';
import { registerInviteRoutes } from './invites/invite-routes.ts';
import { getAlertsRoute } from './occupancy/get-alerts-route.ts';
import { getOccupancyRoute } from './occupancy/get-occupancy-route.ts';
import { registerRbacRoutes } from './rbac/rbac-routes.ts';
import { deleteAttendeeFacesRoute } from './registration/delete-attendee-faces-route.ts';
import { registerAttendeeRoute } from './registration/register-attendee-route.ts';
import { registerRoomRoutes } from './rooms/room-routes.ts';
import { registerTimelineRoutes } from './timeline/register-timeline-routes.ts';
import { detectWeaponsRoute } from './weapons/detect-weapons-route.ts';

export const events = createProfile({
  name: 'events',
  title: 'Event face recognition',
  description: 'Events, rooms, cameras, attendees and invites; faces, search, weapons and image enhancement.',
  hasOwnHealth: true,
});

registerEventRoutes(events);
registerRoomRoutes(events);
registerCameraRoutes(events);
registerAttendeeRoutes(events);
registerInviteRoutes(events);
registerTimelineRoutes(events);
registerCorrectionRoutes(events);
getOccupancyRoute(events);
getAlertsRoute(events);
registerRbacRoutes(events);

uploadFacesRoute(events);
searchFacesRoute(events);
deleteFaceRoute(events);
collectionRoutes(events);
detectWeaponsRoute(events);
healthRoutes(events);
registerAttendeeRoute(events);
deleteAttendeeFacesRoute(events);
takeFrameRoute(events);
takeFrameBatchRoute(events);
createJobRoute(events);
getJobRoute(events);
getResultRoute(events);
reembedRoutes(events);
