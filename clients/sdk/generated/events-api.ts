/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile events. */
import type { ApiNumber } from '../wire/json.ts';

export interface paths {
    "/attendees/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attendees of an event, without embeddings */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The attendees. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            attendees: components["schemas"]["Attendee"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attendees/{event_id}/{attendee_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An attendee of an event, without embeddings */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    attendee_id: string;
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The attendee. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Attendee"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Erase everything held on an attendee, after three days or when a second person asks for it */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    attendee_id: string;
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It waits, and can be taken back. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Erasure"];
                    };
                };
                /** @description Nothing is held on them any more; where they came and went, nobody did. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attendees/{event_id}/{attendee_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything held on an attendee */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    attendee_id: string;
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All but the vectors, and the images of frames, which show others too. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttendeeExport"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attendees/{event_id}/{attendee_id}/faces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete the faces and photographs of an attendee */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    attendee_id: string;
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description How many faces were deleted. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            faces_deleted: ApiNumber;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attendees/{event_id}/{attendee_id}/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the erasure of an attendee back while it waits */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    attendee_id: string;
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The attendee stays. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attendees/{event_id}/{attendee_id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make everything of one attendee another’s: both are the same person */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    attendee_id: string;
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MergeRequest"];
                };
            };
            responses: {
                /** @description Who remains. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Merged"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attendees/{event_id}/{attendee_id}/photos/{photo_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A photograph that an attendee was registered with */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    attendee_id: string;
                    event_id: string;
                    photo_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The image. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cameras": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cameras of a room */
        get: {
            parameters: {
                query: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    room_id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The cameras. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cameras: components["schemas"]["Camera"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Create a camera of a room */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CameraRequest"];
                };
            };
            responses: {
                /** @description The camera. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Camera"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cameras/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A camera */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The camera. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Camera"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cameras/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List whose credentials are bound to a camera */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description By user id. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            credentials: components["schemas"]["CameraCredential"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cameras/{id}/credentials/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Let the credentials of a user send frames as a camera */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description By user id. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            credentials: components["schemas"]["CameraCredential"][];
                        };
                    };
                };
            };
        };
        post?: never;
        /** End what the credentials of a user may do as a camera, at once */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    user_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description They send no frame as this camera any more. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cameras/{id}/frames": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a frame of a camera */
        post: {
            parameters: {
                query?: {
                    captured_at?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/octet-stream": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                    "multipart/form-data": {
                        /**
                         * Format: date-time
                         * @example 2026-11-21T08:30:00.250Z
                         */
                        captured_at?: string;
                        /**
                         * Format: binary
                         * @description JPEG, PNG or WebP, at most 10 MiB.
                         */
                        image?: string;
                    };
                };
            };
            responses: {
                /** @description Who was recognized, to callers who may see attendees; the same frame again has the same answer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Frame"] | components["schemas"]["TakenFrame"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cameras/{id}/frames/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send several frames of a camera */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        captured_at: string | string[];
                        image: string | string[];
                    };
                };
            };
            responses: {
                /** @description An answer or an error for each frame, in their order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            frames: (components["schemas"]["Frame"] | components["schemas"]["TakenFrame"] | {
                                error: {
                                    code: string;
                                    details: {
                                        [key: string]: unknown;
                                    };
                                    message: string;
                                    /** @description Seconds, where the frame may be sent again. */
                                    retry_after: ApiNumber | null;
                                };
                            })[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cameras/{id}/match-rule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Say from which similarity on this camera recognizes somebody */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MatchRuleRequest"];
                };
            };
            responses: {
                /** @description The camera. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Camera"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events by whether they are still to come, go on or are over, the latest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            ongoing: components["schemas"]["EventItem"][];
                            past: components["schemas"]["EventItem"][];
                            upcoming: components["schemas"]["EventItem"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Create an event */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EventRequest"];
                };
            };
            responses: {
                /** @description The event. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An event with its invite statistics */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The event. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventDetail"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete an event; its record stays, its key is destroyed after the retention period */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The deleted event. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Times in which a room held more people than its capacity, the oldest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The alerts. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            alerts: components["schemas"]["CapacityAlert"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Audit trail of what operators corrected, the oldest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The corrections. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            corrections: components["schemas"]["Correction"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attendees who are to be erased */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The erasures. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            erasures: components["schemas"]["Erasure"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Invites of an event */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The invites. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            invites: components["schemas"]["Invite"][];
                        };
                    };
                };
            };
        };
        /** Set the status of an invite */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InviteUpdate"];
                };
            };
            responses: {
                /** @description The invite. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invite"];
                    };
                };
            };
        };
        /** Invite an attendee; each has one invite to an event */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InviteRequest"];
                };
            };
            responses: {
                /** @description The invite. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Invite"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/match-rule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Say from which similarity on faces are attendees of this event */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MatchRuleRequest"];
                };
            };
            responses: {
                /** @description The event. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/occupancy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Occupancy of each room of an event */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The rooms. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            event_id: string;
                            rooms: components["schemas"]["RoomOccupancy"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the deletion of an event back while it is retained */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The event. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Faces that may be an attendee, for somebody to decide; the oldest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "pending" | "confirmed" | "rejected";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The reviews. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of the event: doubtful faces that nobody was asked about, since as many reviews waited as may. */
                            faces_without_review: ApiNumber;
                            reviews: components["schemas"]["MatchReview"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/shred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Destroy the key of an event that somebody else deleted at once, and delete what it held */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The shredded event. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Event"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deleted events whose key is still there, the latest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            events: components["schemas"]["Event"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the gateway answers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It does. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {number} */
                            code: ApiNumber;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the roles of this service may grant */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The permissions. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            permissions: components["schemas"]["Permission"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/register-attendee/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register an attendee by photograph, or add photographs */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    event_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * Format: uuid
                         * @description Adds photos to this attendee; then nothing else is sent.
                         */
                        attendee_id?: string;
                        /**
                         * @description That the attendee has agreed to be recognized; required of a new attendee where the event has no consent_text.
                         * @enum {string}
                         */
                        consent?: "true";
                        /** @description What they have agreed to. */
                        consent_text?: string;
                        /**
                         * Format: idn-email
                         * @description RFC 6531: characters beyond ASCII are taken.
                         */
                        email?: string;
                        name?: string;
                        /** @description One part per photo, at most five a call. */
                        photo: string | string[];
                    };
                };
            };
            responses: {
                /** @description Nothing was stored, for no face is good enough; each says by which rule. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NothingStored"];
                    };
                };
                /** @description The attendee, and the faces of the photos: those that are stored, then the others with their reasons. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RegisteredAttendee"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}/candidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The photograph of the candidate that it resembles */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The image. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that the face is the candidate: the timeline is as if it had matched */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReviewDecision"];
                };
            };
            responses: {
                /** @description The review. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MatchReview"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The frame in which the face is most like the candidate */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The image. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reviews/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say that the face is not the candidate: it stays unknown */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReviewDecision"];
                };
            };
            responses: {
                /** @description The review. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MatchReview"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Roles of this service with the permissions that they grant */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The roles. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            roles: components["schemas"]["Role"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rooms of an event */
        get: {
            parameters: {
                query: {
                    cursor?: string;
                    event_id: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The rooms. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            rooms: components["schemas"]["Room"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Create a room of an event */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoomRequest"];
                };
            };
            responses: {
                /** @description The room. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Room"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A room */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The room. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Room"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/event.capacity_alert.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of event.capacity_alert */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/event.review_opened.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of event.review_opened */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/webhook.test.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of webhook.test */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ask to leave: the tenant’s key is destroyed after the retention period, unless somebody stops it */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LeaveRequest"];
                };
            };
            responses: {
                /** @description It waits. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Departure"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant/departure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the tenant leaves, when, and who asked for it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The departure that waits or is under way. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Departure"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant/departure/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stay: take the departure back while it waits */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The tenant stays. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tenant/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the tenant has used of its quotas in this minute and on this day in UTC */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Each quota. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            usage: components["schemas"]["TenantUsage"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who was seen where at an event, with its entries and exits; in order of first sight */
        get: {
            parameters: {
                query: {
                    attendee_id?: string;
                    camera_id?: string;
                    cursor?: string;
                    event_id: string;
                    /** @description Entries that end at or after this. */
                    from?: string;
                    include_voided?: "true" | "false";
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    room_id?: string;
                    /** @description Entries that begin at or before this. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The entries of this page, and aggregates of all that match. What an operator took back counts in none. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            aggregates: {
                                rooms: (components["schemas"]["MovementAggregates"] & {
                                    room_id: string;
                                })[];
                                total: components["schemas"]["MovementAggregates"];
                            };
                            entries: components["schemas"]["TimelineEntry"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Write an entry by hand */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ManualEntryRequest"];
                };
            };
            responses: {
                /** @description The entry. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TimelineEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/timeline/{entry_id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let an entry that was taken back count again */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    entry_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description The entry. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TimelineEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/timeline/{entry_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an entry back: not this person */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    entry_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        reason: string;
                    };
                };
            };
            responses: {
                /** @description The entry. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TimelineEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What staff did with attendees and faces, the latest first; also of events that were deleted */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    event_id?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The entries. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            entries: components["schemas"]["StaffTrailEntry"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the collections of the tenant */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description By name. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            collections: components["schemas"]["Collection"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a collection with its faces; it can be given back during the retention period */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The collection is gone. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{name}/faces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the stored faces of a collection */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    /** @description An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description In order of storing. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            faces: components["schemas"]["StoredFace"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/collections/{name}/reembed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the embedding of a collection is */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Where it stands. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Reembedding"];
                    };
                };
            };
        };
        put?: never;
        /** Embed the faces of a collection by the model of now */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`. */
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It runs. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Reembedding"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deleted-collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deleted collections that can be given back */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description In order of making. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            collections: components["schemas"]["DeletedCollection"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deleted-collections/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a deleted collection its name back */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It is there again, with its faces. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enhance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore faces in an image and upscale it */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * @description Of restored faces: 1 stays nearest to the image, 0 trusts the model most.
                         * @default 0.5
                         */
                        fidelity?: ApiNumber;
                        /**
                         * Format: binary
                         * @description JPEG, PNG or WebP, at most 10 MiB.
                         */
                        image: string;
                        /**
                         * @default 2
                         * @enum {integer}
                         */
                        upscale?: ApiNumber;
                    };
                };
            };
            responses: {
                /** @description The job, queued. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnhancementAccepted"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enhance/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** State and result of an enhancement job */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    job_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The job. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EnhancementJob"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/enhance/{job_id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The enhanced image, by a signed link */
        get: {
            parameters: {
                query: {
                    expires: ApiNumber;
                    signature: string;
                };
                header?: never;
                path: {
                    job_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The image. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/png": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/faces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Store the faces of a photo in a collection */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * @description An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`.
                         * @example staff
                         */
                        collection: string;
                        /**
                         * Format: binary
                         * @description JPEG, PNG or WebP, at most 10 MiB.
                         */
                        image: string;
                    };
                };
            };
            responses: {
                /** @description Every face that was found; each says whether it was stored. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StoredFaces"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/faces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a stored face */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The face is gone. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the service and of what it needs */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Everything answers, or all but the models. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServiceHealth"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search a collection by face */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * @description An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`.
                         * @example staff
                         */
                        collection: string;
                        /** @description In place of an image: a JSON array of numbers, as wide as the model’s embeddings. */
                        embedding?: string;
                        /**
                         * Format: binary
                         * @description JPEG, PNG or WebP, at most 10 MiB.
                         */
                        image?: string;
                        /** @description The model that made `embedding`; checked when given. */
                        model?: string;
                        model_version?: string;
                        /** @description Least similarity of a match. Left out, that of the event whose collection it is, else of the model. */
                        threshold?: ApiNumber;
                        /** @default 5 */
                        top_k?: ApiNumber;
                    };
                };
            };
            responses: {
                /** @description The best matches, best first; none when nobody passes the threshold. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SearchResult"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/weapons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Detect weapons in an image */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * Format: binary
                         * @description JPEG, PNG or WebP, at most 10 MiB.
                         */
                        image: string;
                    };
                };
            };
            responses: {
                /** @description Weapons that the image shows. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WeaponDetections"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the tenant was told in the last 30 days, for those who receive no webhooks
         * @description What webhooks of the tenant would have been sent, subscribed or not: the same ids, bodies and order; `endpoint` is the address of this list.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Id of a message (`webhook_event.event_id`, `webhook-id`): what was told after it. Without it the list begins with the oldest of the last 30 days. */
                    after?: string;
                    limit?: ApiNumber;
                    /** @description Between commas; all without it. */
                    types?: string;
                    /** @description Seconds to wait for the next message where there is none. Then the answer has none. */
                    wait?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Oldest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToldEvents"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The webhooks of the tenant */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Oldest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Register a webhook; its secret is shown once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookBody"];
                };
            };
            responses: {
                /** @description Registered. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedWebhook"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A webhook, with what waits there */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The webhook. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookWithBacklog"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a webhook, with what waits there and its log */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Deleted. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Change, disable or enable a webhook; what waits is tried at once */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookChange"];
                };
            };
            responses: {
                /** @description Changed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was sent to a webhook in the last 30 days, and what waits */
        get: {
            parameters: {
                query?: {
                    cursor?: ApiNumber;
                    event_id?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "waiting" | "delivered" | "dead" | "skipped";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Latest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            deliveries: components["schemas"]["WebhookDelivery"][];
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A delivery with its body and every try */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    delivery_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryDetail"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again, under the same webhook-id, behind what waits */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    delivery_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The new delivery. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryDetail"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give up a delivery that waits, so that those behind it go on */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    delivery_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryDetail"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what was first queued in a range of time, 1,000 messages a call
         * @description From `from` on, before `to`. What still waits is not queued twice.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReplayRange"];
                };
            };
            responses: {
                /** @description Queued. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Replayed"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook another secret; each former one signs beside it for 24 hours */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Rotated. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RotatedSecret"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test at once, past what waits; disabled webhooks, too
         * @description Tried once. The answer says what came of it. A test has the header `webhook-test: true`, and all ids in a sample begin with `00000000-0000-4000-8000-`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["WebhookTestBody"];
                };
            };
            responses: {
                /** @description What came of it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryDetail"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Attendee: {
            consent: {
                /** Format: date-time */
                given_at: string;
                taken_by: string;
                text: string;
            };
            /** Format: date-time */
            created_at: string;
            email: string;
            event_id: string;
            id: string;
            name: string;
        };
        AttendeeExport: {
            attendee: components["schemas"]["Attendee"];
            corrections: components["schemas"]["Correction"][];
            faces: {
                /** @description [x1, y1, x2, y2] in pixels of the upright image. */
                bbox: ApiNumber[];
                confidence: ApiNumber;
                /** Format: date-time */
                created_at: string;
                /** @description A vector is held for each face, made by this model; it is given out to nobody. */
                embedding: {
                    model: string;
                    version: string;
                };
                id: string;
                photo_id: string;
                quality: {
                    blur: ApiNumber;
                    face_size: ApiNumber;
                    pitch: ApiNumber;
                    yaw: ApiNumber;
                };
            }[];
            frames: {
                /** @description [x1, y1, x2, y2] in pixels of the upright image. */
                bbox: ApiNumber[];
                camera_id: string;
                /** Format: date-time */
                captured_at: string;
                id: string;
                room_id: string;
                /** @description User id of whoever sent it as the camera; null for a frame of before that was kept. */
                sent_by: string | null;
                similarity: ApiNumber;
            }[];
            invites: components["schemas"]["Invite"][];
            photos: {
                byte_length: ApiNumber;
                /** Format: date-time */
                created_at: string;
                id: string;
                /** @description Path of the image, for the same credential. */
                url: string;
            }[];
            timeline: components["schemas"]["TimelineEntry"][];
        };
        Camera: {
            /** Format: date-time */
            created_at: string;
            event_id: string;
            id: string;
            match_rule: components["schemas"]["MatchRule"];
            name: string;
            room_id: string;
            /** @description Without its credentials for those who may not create cameras. */
            source: string;
            /** @enum {string} */
            type: "entry" | "exit" | "in-event";
        };
        CameraCredential: {
            bound_by: string;
            /** Format: date-time */
            created_at: string;
            /** @description Whose tokens may send frames as the camera. */
            user_id: string;
        };
        CameraRequest: {
            name: string;
            room_id: string;
            /**
             * @description Stream address.
             * @example rtsp://10.0.0.7/door
             */
            source: string;
            /** @enum {string} */
            type: "entry" | "exit" | "in-event";
        };
        CapacityAlert: {
            capacity: ApiNumber;
            /**
             * Format: date-time
             * @description Null while it lasts.
             */
            ended_at: string | null;
            /** @description The same at every read, while the time at which it started is. */
            id: string;
            name: string;
            /** @description The most people in this time. */
            occupancy: ApiNumber;
            room_id: string;
            /** Format: date-time */
            started_at: string;
        };
        Collection: {
            /** Format: date-time */
            created_at: string;
            event_id: string | null;
            faces: ApiNumber;
            name: string;
        };
        Correction: {
            /** @description User id of whoever corrected. */
            actor: string;
            /** @description Null, like the reason, once the person that it names was erased. */
            change: {
                /** @description Whose it was, or whom it merged into. */
                attendee_id?: string | null;
                entry_id?: string;
                /** @description Who was merged; without name and email for those who may not see attendees. */
                from?: {
                    attendee_id: string;
                    email: string | null;
                    name: string | null;
                };
                review_id?: string;
                /** @description How like the most similar faces of the two merged are; null where nothing could be compared. */
                similarity?: ApiNumber | null;
            } | null;
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @enum {string} */
            kind: "not_this_person" | "restored" | "merge" | "manual_entry" | "match_confirmed" | "match_rejected";
            reason: string | null;
        };
        CreatedWebhook: components["schemas"]["Webhook"] & {
            /**
             * @description Signs what is sent, by the Standard Webhooks pattern. Shown this once.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
        };
        DeletedCollection: {
            /** @description User id. */
            deleted_by: string | null;
            id: string;
            name: string | null;
            /**
             * Format: date-time
             * @description When its key is to be destroyed.
             */
            shred_at: string | null;
        };
        Departure: {
            /** @description How many go. */
            events: ApiNumber;
            /**
             * Format: date-time
             * @description When the tenant’s key is destroyed; until then it can be stopped.
             */
            leave_at: string;
            /**
             * Format: date-time
             * @description When the destruction began.
             */
            leaving_at: string | null;
            /** Format: date-time */
            requested_at: string;
            /** @description User id. */
            requested_by: string;
            tenant: string;
        };
        DetectedFace: {
            /** @description [x1, y1, x2, y2] in pixels of the upright image. */
            bbox: ApiNumber[];
            confidence: ApiNumber;
            embedding_stored: boolean;
            id: string;
            quality: {
                blur: ApiNumber;
                face_size: ApiNumber;
                pitch: ApiNumber;
                yaw: ApiNumber;
            };
            /** @description Present when embedding_stored is false: the rule, the measured value, the limit. */
            rejection_reason?: string;
        };
        EnhancementAccepted: {
            job_id: string;
            /** @enum {string} */
            status: "queued";
        };
        EnhancementJob: {
            enhanced_size: ApiNumber[] | null;
            error: {
                code: string;
                message: string;
            } | null;
            /**
             * @description `unavailable`: no model is installed; the image was upscaled without.
             * @enum {string|null}
             */
            face_restoration: "applied" | "no_face" | "unavailable" | null;
            job_id: string;
            /** @description [width, height] of the upright image. */
            original_size: ApiNumber[] | null;
            /** @description 0 to 1. */
            progress: ApiNumber;
            /** @description Of a completed job: a PNG, for whoever has the address, for fifteen minutes. The trail says who had it made. */
            result_url: string | null;
            /** @enum {string} */
            status: "queued" | "processing" | "completed" | "failed";
        };
        Erasure: {
            attendee_id: string;
            /**
             * Format: date-time
             * @description Until then it can be taken back.
             */
            erase_at: string;
            /** Format: date-time */
            requested_at: string;
            /** @description User id. */
            requested_by: string;
        };
        Event: {
            consent_text: string | null;
            /** Format: date-time */
            created_at: string;
            date: string;
            /** Format: date-time */
            deleted_at: string | null;
            /** @description User id. */
            deleted_by: string | null;
            description: string;
            end_date: string | null;
            id: string;
            match_rule: components["schemas"]["MatchRule"];
            name: string;
            /**
             * Format: date-time
             * @description When its key is to be destroyed.
             */
            shred_at: string | null;
            /** Format: date-time */
            shredded_at: string | null;
        };
        EventDetail: components["schemas"]["Event"] & {
            /** @description How many. */
            attendees: ApiNumber;
            /** @description Doubtful faces that nobody was asked about, since as many reviews waited as may. */
            faces_without_review: ApiNumber;
            invites: components["schemas"]["InviteStatistics"];
            /** @description How many. */
            rooms: ApiNumber;
        };
        EventItem: {
            date: string;
            id: string;
            name: string;
        };
        EventRequest: {
            /** @description What attendees have agreed to where they signed up. Then a registration needs no consent of its own, and is stored with this text, taken down by who created the event. */
            consent_text?: string | null;
            /**
             * @description A day or a time in ISO 8601, extended or basic. A time without a zone is in UTC.
             * @example 2026-11-28T19:00:00-05:00
             */
            date: string;
            description?: string | null;
            /**
             * @description The last day, whole in the zone of date, or the last instant. Left out, the event lasts through the day on which it begins, and twelve hours at least.
             * @example 2026-11-28T19:00:00-05:00
             */
            end_date?: string | null;
            name: string;
        };
        Frame: {
            entries: {
                attendee_id: string;
                /** Format: date-time */
                first_seen_at: string;
                id: string;
                /** Format: date-time */
                last_seen_at: string;
                name: string;
                /** @enum {string} */
                type: "entered" | "exited" | "present";
            }[];
            faces: components["schemas"]["MatchedFace"][];
            frame_id: string;
            /** @description Faces of good quality that nobody registered has. */
            unknown: ApiNumber;
        };
        Invite: {
            attendee_id: string;
            /** Format: date-time */
            created_at: string;
            event_id: string;
            id: string;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "revoked";
            /** Format: date-time */
            updated_at: string;
        };
        InviteRequest: {
            attendee_id: string;
            /**
             * @default pending
             * @enum {string}
             */
            status: "pending" | "accepted" | "declined" | "revoked";
        };
        InviteStatistics: {
            by_status: {
                accepted?: ApiNumber;
                declined?: ApiNumber;
                pending?: ApiNumber;
                revoked?: ApiNumber;
            };
            total: ApiNumber;
        };
        InviteUpdate: {
            invite_id: string;
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "revoked";
        };
        JsonSchema: {
            [key: string]: unknown;
        };
        LeaveRequest: {
            /** @description The tenant, letter for letter: once its time has come, this cannot be undone. */
            confirm: string;
        };
        ManualEntryRequest: {
            /** Format: date-time */
            at: string;
            attendee_id: string;
            event_id: string;
            reason: string;
            room_id: string;
            /** @enum {string} */
            type: "entered" | "exited" | "present";
        };
        MatchedFace: components["schemas"]["DetectedFace"] & {
            /** @description Unknown until somebody decides whether it is an attendee. */
            in_review: boolean;
            /** @description Null for somebody unknown, and for a face of poor quality. */
            match: {
                attendee_id: string | null;
                face_id: string;
                name: string | null;
                similarity: ApiNumber;
            } | null;
        };
        MatchReview: {
            /** @description [x1, y1, x2, y2] in pixels of the upright image. */
            bbox: ApiNumber[];
            camera_id: string;
            /** @description Whom the face may be; null once they are no attendee any more. */
            candidate: {
                attendee_id: string;
                /** @description Null for those who may not see attendees. */
                name: string | null;
            } | null;
            /** Format: date-time */
            decided_at: string | null;
            /** @description User id. */
            decided_by: string | null;
            event_id: string;
            /** Format: date-time */
            first_seen_at: string;
            /** @description That frame. */
            frame_id: string;
            /** @description How many frames show the face. */
            frames: ApiNumber;
            id: string;
            /** Format: date-time */
            last_seen_at: string;
            room_id: string;
            /** @description To whom it resembles next. */
            runner_up_similarity: ApiNumber | null;
            /** @description To the candidate, in the frame in which it is greatest. */
            similarity: ApiNumber;
            /** @enum {string} */
            status: "pending" | "confirmed" | "rejected";
        };
        MatchRule: {
            /** @description How much more alike it must be than to the next attendee. */
            match_margin: ApiNumber | null;
            /** @description Similarity from which a face is an attendee. */
            match_threshold: ApiNumber | null;
            /** @description From which on, where it is no match, people decide. */
            review_threshold: ApiNumber | null;
        };
        MatchRuleRequest: {
            /** @description How much more alike it must be than to the next attendee. */
            match_margin: ApiNumber | null;
            /** @description Similarity from which a face is an attendee. */
            match_threshold: ApiNumber | null;
            /** @description Required where a part is below the model’s own. */
            reason?: string;
            /** @description From which on, where it is no match, people decide. */
            review_threshold: ApiNumber | null;
        };
        Merged: {
            attendee_id: string;
            /** @description How like the most similar faces of the two merged are; null where nothing could be compared. */
            similarity: ApiNumber | null;
        };
        MergeRequest: {
            /** @description The attendee who remains. */
            into: string;
            reason: string;
        };
        MovementAggregates: {
            entries: ApiNumber;
            exits: ApiNumber;
            /** @description Of people who were inside already. */
            repeated_entries: ApiNumber;
            /** @description Of people who were outside already. */
            repeated_exits: ApiNumber;
        };
        NothingStored: {
            faces: components["schemas"]["DetectedFace"][];
            /** @description Of the attendee who was to get photos; null for somebody new. */
            id: string | null;
            /** @description Whether there is such an attendee: false for somebody new. */
            registered: boolean;
        };
        Permission: {
            description: string;
            name: string;
        };
        Reembedding: {
            /** @description Stored faces by the model that embedded them. */
            faces: {
                faces: ApiNumber;
                name: string;
                version: string;
            }[];
            /** @description Of these, faces that the model of now was to embed and could not. Nobody is found by them until the photos are embedded again. */
            failed: ApiNumber | null;
            /** @description The model of now; null when it cannot be asked. */
            model: {
                name: string;
                version: string;
            } | null;
            /** @description Faces of other models than that of now. */
            remaining: ApiNumber | null;
            /** @enum {string} */
            status: "idle" | "running";
        };
        RegisteredAttendee: components["schemas"]["Attendee"] & {
            faces: components["schemas"]["DetectedFace"][];
        };
        Replayed: {
            /** @description Null where the range is done. */
            next_sequence: ApiNumber | null;
            replayed: ApiNumber;
        };
        ReplayRange: {
            /**
             * @description `next_sequence` of the answer before, for the rest of the range.
             * @default 0
             */
            after_sequence: ApiNumber;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        ReviewDecision: {
            reason?: string;
        };
        Role: {
            description: string;
            name: string;
            permissions: string[];
        };
        Room: {
            /** @description Null: no capacity alerts. */
            capacity: ApiNumber | null;
            /** Format: date-time */
            created_at: string;
            event_id: string;
            id: string;
            name: string;
        };
        RoomOccupancy: components["schemas"]["MovementAggregates"] & {
            capacity: ApiNumber | null;
            /** @description Entries minus exits. */
            current: ApiNumber;
            name: string;
            /** @description The highest concurrent count. */
            peak: ApiNumber;
            /** Format: date-time */
            peak_at: string | null;
            room_id: string;
            /** @description Sightings of faces that nobody registered has, beside the count. */
            unknown: {
                entered: ApiNumber;
                exited: ApiNumber;
            };
        };
        RoomRequest: {
            capacity?: ApiNumber | null;
            event_id: string;
            name: string;
        };
        RotatedSecret: {
            /**
             * Format: date-time
             * @description Until then the former signs, too.
             */
            former_secret_ends_at: string;
            /**
             * @description Signs what is sent, by the Standard Webhooks pattern. Shown this once.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
            /** Format: uuid */
            webhook_id: string;
        };
        SearchResult: {
            /** @description Two attendees resemble the face nearly as much (match_margin): it is not sure which of them it is. */
            ambiguous: boolean;
            matches: {
                face_id: string;
                metadata: {
                    attendee_id: string | null;
                    /** @description Null too for those who may not see attendees. */
                    name: string | null;
                };
                /** @description Cosine, −1 to 1. */
                similarity: ApiNumber;
            }[];
            /** @description The largest face of the image; null for a search by embedding. */
            query_face: {
                /** @description [x1, y1, x2, y2] in pixels of the upright image. */
                bbox: ApiNumber[];
                confidence: ApiNumber;
            } | null;
        };
        ServiceHealth: {
            /** @description `ok`, or in a word what is the matter. */
            services: {
                embed: string;
                enhance: string;
                gateway: string;
                ingest: string;
            };
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
        };
        StaffTrailEntry: {
            /** @enum {string} */
            act: "event_deleted" | "event_restored" | "event_shredded" | "departure_requested" | "departure_stopped" | "event_match_rule_set" | "camera_match_rule_set" | "camera_bound" | "camera_unbound" | "attendees_listed" | "attendee_read" | "attendee_exported" | "attendee_registered" | "attendee_erased" | "attendee_kept" | "attendee_merged" | "erasures_listed" | "photo_viewed" | "photos_added" | "attendee_faces_deleted" | "invites_listed" | "invite_created" | "invite_changed" | "timeline_read" | "entry_added" | "entry_voided" | "entry_restored" | "corrections_listed" | "reviews_listed" | "review_frame_viewed" | "review_candidate_viewed" | "review_confirmed" | "review_rejected" | "faces_uploaded" | "faces_searched" | "faces_listed" | "face_deleted" | "collection_deleted" | "collection_restored" | "enhancement_requested" | "enhancement_link_made";
            /** @description User id. */
            actor: string;
            /** @description Null once they were erased. */
            attendee_id: string | null;
            /** Format: date-time */
            created_at: string;
            event_id: string | null;
            id: string;
            /** @description Id or name of what else it was done to; of a binding the camera’s and the user’s, with a slash between. */
            object: string | null;
            reason: string | null;
            /** @description Of the answer; null where the request was cut off. */
            status: ApiNumber | null;
        };
        StoredFace: components["schemas"]["DetectedFace"] & {
            /** Format: date-time */
            created_at: string;
            image_id: string;
        };
        StoredFaces: {
            faces: components["schemas"]["DetectedFace"][];
            faces_detected: ApiNumber;
            faces_stored: ApiNumber;
            image_id: string;
        };
        TakenFrame: {
            frame_id: string;
        };
        TenantUsage: {
            max: ApiNumber;
            /** Format: date-time */
            resets_at: string;
            /** @enum {string} */
            resource: "frames" | "photos" | "searches" | "weapon_images" | "enhancements" | "bytes" | "trail_entries";
            used: ApiNumber;
            /** @enum {string} */
            window: "minute" | "day";
        };
        TimelineEntry: {
            /**
             * Format: date-time
             * @description When it counts: of an exit the last sight, else the first.
             */
            at: string;
            /** @description Null once the attendee was erased. */
            attendee_id: string | null;
            camera_id: string | null;
            event_id: string;
            /** Format: date-time */
            first_seen_at: string;
            /** @description Frame of the first sight. */
            frame_id: string | null;
            id: string;
            /** Format: date-time */
            last_seen_at: string;
            /** @description A frame of it came more than ten minutes after its time. */
            late: boolean;
            /** @description Null too for those who may not see attendees. */
            name: string | null;
            room_id: string;
            /** @description Of the best sighting; null for an entry by hand. */
            similarity: ApiNumber | null;
            /** @enum {string} */
            source: "camera" | "manual";
            /** @enum {string} */
            type: "entered" | "exited" | "present";
            /**
             * Format: date-time
             * @description When an operator took it back.
             */
            voided_at: string | null;
        };
        /** @description The body of the webhook; GET /schemas/{event}.json has its shape. */
        ToldEvent: {
            webhook_event: {
                endpoint: string;
                event_id: string;
                /** @enum {string} */
                event_type: "event.capacity_alert" | "event.review_opened";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ToldEvents: {
            events: components["schemas"]["ToldEvent"][];
            /**
             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
             * @enum {boolean}
             */
            has_more?: true;
            /** @description `after` of your next request for the same types: the last message here, or a later one of another type. Null where nothing was told yet. */
            next_after: string | null;
        };
        WeaponDetections: {
            detections: {
                /** @description [x1, y1, x2, y2] in pixels of the upright image. */
                bbox: ApiNumber[];
                /** @enum {string} */
                class: "Weapon" | "Knife" | "Gun";
                confidence: ApiNumber;
            }[];
            weapon_detected: boolean;
        };
        Webhook: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * @description `owner`: by PATCH; `failing`: it failed for three days; `gone`: it answered 410; `overflow`: too much waited.
             * @enum {string|null}
             */
            disabled_reason: "owner" | "gone" | "failing" | "overflow" | null;
            event_ids: string[] | null;
            events: ("event.capacity_alert" | "event.review_opened")[];
            /** @description Of the headers that you have stated. */
            header_names: string[];
            /**
             * @description `none`: each message as soon as it can be sent; `event`: those of one event one after the other; `endpoint`: all of them one after the other. It does not change.
             * @enum {string}
             */
            ordering: "none" | "event" | "endpoint";
            /** @enum {string} */
            status: "enabled" | "disabled";
            url: string;
            /** Format: uuid */
            webhook_id: string;
        };
        WebhookBody: {
            /** @default null */
            description: string | null;
            /**
             * @description What happens at these events alone; null for all of the tenant.
             * @default null
             * @example null
             */
            event_ids: string[] | null;
            /**
             * @example [
             *       "event.review_opened"
             *     ]
             */
            events: ("event.capacity_alert" | "event.review_opened")[];
            /**
             * @description Up to 10 headers that each message has beside ours, such as a credential of your gateway. They are shown by their names alone.
             * @default {}
             * @example {
             *       "authorization": "Bearer 3f1c9b"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * @description `none`: each message as soon as it can be sent; `event`: those of one event one after the other; `endpoint`: all of them one after the other. It does not change.
             * @default none
             * @enum {string}
             */
            ordering: "none" | "event" | "endpoint";
            /**
             * @description Of https, at a public name, on port 443 or 8443.
             * @example https://hooks.northwind-ats.com/exchange
             */
            url: string;
        };
        WebhookChange: {
            description?: string | null;
            /** @description What waits at a webhook that is disabled is given up; it can be replayed once it is enabled again. */
            enabled?: boolean;
            /**
             * @description What happens at these events alone; null for all of the tenant.
             * @example null
             */
            event_ids?: string[] | null;
            /**
             * @example [
             *       "event.review_opened"
             *     ]
             */
            events?: ("event.capacity_alert" | "event.review_opened")[];
            /**
             * @description Up to 10 headers that each message has beside ours, such as a credential of your gateway. They are shown by their names alone.
             * @example {
             *       "authorization": "Bearer 3f1c9b"
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Of https, at a public name, on port 443 or 8443.
             * @example https://hooks.northwind-ats.com/exchange
             */
            url?: string;
        };
        WebhookDelivery: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            delivery_id: string;
            /** Format: date-time */
            ended_at: string | null;
            event_id: string;
            event_type: string;
            /** Format: date-time */
            first_tried_at: string | null;
            /** Format: date-time */
            next_try_at: string | null;
            /** @enum {string|null} */
            reason: "owner" | "gone" | "failing" | "overflow" | "test_failed" | null;
            /** Format: uuid */
            replay_of: string | null;
            /** @description Place among the messages of the webhook: rising, with gaps. */
            sequence: ApiNumber;
            /** @enum {string} */
            status: "waiting" | "delivered" | "dead" | "skipped";
            tries: ApiNumber;
        };
        WebhookDeliveryDetail: {
            attempts: {
                /** Format: date-time */
                at: string;
                duration_ms: ApiNumber;
                /** @enum {string|null} */
                error: "status" | "redirect" | "timeout" | "unreachable" | "not_resolved" | "not_public" | "not_allowed" | null;
                /** @description The beginning of the answer’s body where the answer has the message’s `webhook-id` as a header of its own, else its media type. */
                response: string | null;
                /** @description HTTP status; null where there was no answer. */
                status: ApiNumber | null;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            delivery_id: string;
            /** Format: date-time */
            ended_at: string | null;
            event_id: string;
            event_type: string;
            /** Format: date-time */
            first_tried_at: string | null;
            /** Format: date-time */
            next_try_at: string | null;
            /** @description The body, byte for byte. */
            payload: string;
            /** @enum {string|null} */
            reason: "owner" | "gone" | "failing" | "overflow" | "test_failed" | null;
            /** Format: uuid */
            replay_of: string | null;
            /** @description Place among the messages of the webhook: rising, with gaps. */
            sequence: ApiNumber;
            /** @enum {string} */
            status: "waiting" | "delivered" | "dead" | "skipped";
            tries: ApiNumber;
        };
        WebhookTestBody: {
            /**
             * @description A sample of this event, of a room that does not exist; `webhook.test` without it.
             * @enum {string}
             */
            event?: "event.capacity_alert" | "event.review_opened";
        };
        WebhookWithBacklog: components["schemas"]["Webhook"] & {
            /**
             * Format: date-time
             * @description When what waits and was not taken was first tried; null while nothing fails.
             */
            failing_since: string | null;
            /** Format: date-time */
            next_try_at: string | null;
            /** @description Messages that wait to be sent. */
            waiting: ApiNumber;
            waiting_bytes: ApiNumber;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
