import { createProfile } from '../middleware/profile.ts';
import { eraseAttendeeRoute } from './attendees/erase-attendee-route.ts';
import { keepAttendeeRoute, listErasuresRoute } from './attendees/erasure-routes.ts';
import { exportAttendeeRoute } from './attendees/export-attendee-route.ts';
import { getAttendeeRoute } from './attendees/get-attendee-route.ts';
import { getPhotoRoute } from './attendees/get-photo-route.ts';
import { listAttendeesRoute } from './attendees/list-attendees-route.ts';
import { cameraCredentialRoutes } from './cameras/camera-credential-routes.ts';
import { createCameraRoute } from './cameras/create-camera-route.ts';
import { getCameraRoute } from './cameras/get-camera-route.ts';
import { listCamerasRoute } from './cameras/list-cameras-route.ts';
import { setCameraMatchRuleRoute } from './cameras/set-camera-match-rule-route.ts';
import { deleteCollectionRoute } from './collections/delete-collection-route.ts';
import { listDeletedCollectionsRoute, restoreCollectionRoute } from './collections/deleted-collections-routes.ts';
import { getReembeddingRoute } from './collections/get-reembedding-route.ts';
import { listCollectionFacesRoute } from './collections/list-collection-faces-route.ts';
import { listCollectionsRoute } from './collections/list-collections-route.ts';
import { startReembeddingRoute } from './collections/start-reembedding-route.ts';
import { listCorrectionsRoute } from './corrections/list-corrections-route.ts';
import { mergeAttendeeRoute } from './corrections/merge-attendee-route.ts';
import { voidEntryRoute } from './corrections/void-entry-route.ts';
import { createJobRoute } from './enhance/create-job-route.ts';
import { getJobRoute } from './enhance/get-job-route.ts';
import { getResultRoute } from './enhance/get-result-route.ts';
import { createEventRoute } from './events/create-event-route.ts';
import { deleteEventRoute } from './events/delete-event-route.ts';
import { getDepartureRoute, stopDepartureRoute } from './events/departure-routes.ts';
import { getEventRoute } from './events/get-event-route.ts';
import { leaveServiceRoute } from './events/leave-service-route.ts';
import { listDeletedEventsRoute } from './events/list-deleted-events-route.ts';
import { listEventsRoute } from './events/list-events-route.ts';
import { restoreEventRoute } from './events/restore-event-route.ts';
import { setEventMatchRuleRoute } from './events/set-event-match-rule-route.ts';
import { shredEventRoute } from './events/shred-event-route.ts';
import { deleteFaceRoute } from './faces/delete-face-route.ts';
import { searchFacesRoute } from './faces/search-faces-route.ts';
import { uploadFacesRoute } from './faces/upload-faces-route.ts';
import { takeFrameBatchRoute } from './frames/take-frame-batch-route.ts';
import { takeFrameRoute } from './frames/take-frame-route.ts';
import { getHealthRoute } from './health/get-health-route.ts';
import { getLivenessRoute } from './health/get-liveness-route.ts';
import { createInviteRoute } from './invites/create-invite-route.ts';
import { listInvitesRoute } from './invites/list-invites-route.ts';
import { updateInviteRoute } from './invites/update-invite-route.ts';
import { getAlertsRoute } from './occupancy/get-alerts-route.ts';
import { getOccupancyRoute } from './occupancy/get-occupancy-route.ts';
import { listPermissionsRoute } from './rbac/list-permissions-route.ts';
import { listRolesRoute } from './rbac/list-roles-route.ts';
import { deleteAttendeeFacesRoute } from './registration/delete-attendee-faces-route.ts';
import { registerAttendeeRoute } from './registration/register-attendee-route.ts';
import { decideReviewRoute } from './reviews/decide-review-route.ts';
import { getReviewPictureRoute } from './reviews/get-review-picture-route.ts';
import { listReviewsRoute } from './reviews/list-reviews-route.ts';
import { createRoomRoute } from './rooms/create-room-route.ts';
import { getRoomRoute } from './rooms/get-room-route.ts';
import { listRoomsRoute } from './rooms/list-rooms-route.ts';
import { keysOfTenant } from './tenancy.ts';
import { createManualEntryRoute } from './timeline/create-manual-entry-route.ts';
import { getTimelineRoute } from './timeline/get-timeline-route.ts';
import { inTrail } from './trail/in-trail.ts';
import { listTrailRoute } from './trail/list-trail-route.ts';
import { getUsageRoute } from './usage/get-usage-route.ts';
import { detectWeaponsRoute } from './weapons/detect-weapons-route.ts';
import {
  getDeliveryRoute,
  listDeliveriesRoute,
  replayDeliveryRoute,
  replayRangeRoute,
  skipDeliveryRoute,
  testWebhookRoute,
} from './webhooks/delivery-routes.ts';
import { getEventSchemaRoutes, listWebhookEventsRoute } from './webhooks/told-event-routes.ts';
import {
  changeWebhookRoute,
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listWebhooksRoute,
  rotateWebhookSecretRoute,
} from './webhooks/webhook-routes.ts';

export const events = createProfile({
  name: 'events',
  title: 'Event face recognition',
  fieldNames: 'snake_case',
  description: 'Events, rooms, cameras, attendees and invites; faces, search, weapons and image enhancement.',
  hasOwnHealth: true,
  around: inTrail,
  keysOf: keysOfTenant,
});

listEventsRoute(events);
createEventRoute(events);
listDeletedEventsRoute(events);
getEventRoute(events);
setEventMatchRuleRoute(events);
deleteEventRoute(events);
restoreEventRoute(events);
shredEventRoute(events);
leaveServiceRoute(events);
getDepartureRoute(events);
stopDepartureRoute(events);
getUsageRoute(events);
listRoomsRoute(events);
createRoomRoute(events);
getRoomRoute(events);
listCamerasRoute(events);
createCameraRoute(events);
getCameraRoute(events);
setCameraMatchRuleRoute(events);
cameraCredentialRoutes(events);
listAttendeesRoute(events);
getAttendeeRoute(events);
exportAttendeeRoute(events);
getPhotoRoute(events);
eraseAttendeeRoute(events);
listErasuresRoute(events);
keepAttendeeRoute(events);
listInvitesRoute(events);
createInviteRoute(events);
updateInviteRoute(events);
getTimelineRoute(events);
createManualEntryRoute(events);
listCorrectionsRoute(events);
voidEntryRoute(events);
mergeAttendeeRoute(events);
listReviewsRoute(events);
getReviewPictureRoute(events);
decideReviewRoute(events);
getOccupancyRoute(events);
getAlertsRoute(events);
listPermissionsRoute(events);
listRolesRoute(events);
uploadFacesRoute(events);
searchFacesRoute(events);
deleteFaceRoute(events);
listCollectionsRoute(events);
listCollectionFacesRoute(events);
deleteCollectionRoute(events);
listDeletedCollectionsRoute(events);
restoreCollectionRoute(events);
detectWeaponsRoute(events);
getLivenessRoute(events);
getHealthRoute(events);
registerAttendeeRoute(events);
deleteAttendeeFacesRoute(events);
takeFrameRoute(events);
takeFrameBatchRoute(events);
createJobRoute(events);
getJobRoute(events);
getResultRoute(events);
startReembeddingRoute(events);
getReembeddingRoute(events);
listTrailRoute(events);
createWebhookRoute(events);
listWebhooksRoute(events);
getWebhookRoute(events);
changeWebhookRoute(events);
deleteWebhookRoute(events);
rotateWebhookSecretRoute(events);
testWebhookRoute(events);
listDeliveriesRoute(events);
getDeliveryRoute(events);
replayDeliveryRoute(events);
skipDeliveryRoute(events);
replayRangeRoute(events);
listWebhookEventsRoute(events);
getEventSchemaRoutes(events);
