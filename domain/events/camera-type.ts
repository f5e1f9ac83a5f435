/** What a sighting by the camera means (E-SVC-02). */
export const CAMERA_TYPES = ['entry', 'exit', 'in-event'] as const;

export type CameraType = (typeof CAMERA_TYPES)[number];

export const TIMELINE_TYPES = ['entered', 'exited', 'present'] as const;

export type TimelineType = (typeof TIMELINE_TYPES)[number];

/** What a sighting by a camera of each type is on the timeline. */
export const TIMELINE_TYPE_OF: Readonly<Record<CameraType, TimelineType>> = {
  entry: 'entered',
  exit: 'exited',
  'in-event': 'present',
};
