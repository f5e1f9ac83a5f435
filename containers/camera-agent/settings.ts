import { type Environment, parseSettings } from '../process/parse-settings.ts';

/** Which stream is read, and where its frames go. */
export interface Settings {
  /** The events service without a trailing slash: `https://events.example.com` or `http://localhost:8787/events-service`. */
  readonly eventsUrl: string;
  /** Token endpoint of the identity provider; the client's user needs the permission `frames:write`. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly cameraId: string;
  /** What ffmpeg reads: `rtsp://…`, `http://…` or a file. */
  readonly source: string;
  /** Frames a second that are sent. */
  readonly fps: number;
  readonly ffmpeg: string;
  readonly healthPort: number;
}

const FPS_DEFAULT = 1;
const FPS_MAX = 10;

/** Reads EVENTS_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, CAMERA_ID, SOURCE, and FPS, FFMPEG, HEALTH_PORT with defaults. */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => ({
    eventsUrl: from.address('EVENTS_URL').href.replace(/\/+$/, ''),
    tokenUrl: from.address('TOKEN_URL').href,
    clientId: from.required('CLIENT_ID'),
    clientSecret: from.required('CLIENT_SECRET'),
    cameraId: from.required('CAMERA_ID'),
    source: from.required('SOURCE'),
    fps: from.number('FPS', { otherwise: FPS_DEFAULT, min: 0.01, max: FPS_MAX }),
    ffmpeg: from.text('FFMPEG', 'ffmpeg'),
    healthPort: from.port('HEALTH_PORT', 0),
  }));
}
