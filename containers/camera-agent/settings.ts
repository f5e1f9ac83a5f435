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

type Environment = Readonly<Record<string, string | undefined>>;

const FPS_DEFAULT = 1;
const FPS_MAX = 10;

/** Reads EVENTS_URL, TOKEN_URL, CLIENT_ID, CLIENT_SECRET, CAMERA_ID, SOURCE, and FPS, FFMPEG, HEALTH_PORT with defaults. */
export function readSettings(environment: Environment): Settings {
  return {
    eventsUrl: url(environment, 'EVENTS_URL').replace(/\/+$/, ''),
    tokenUrl: url(environment, 'TOKEN_URL'),
    clientId: required(environment, 'CLIENT_ID'),
    clientSecret: required(environment, 'CLIENT_SECRET'),
    cameraId: required(environment, 'CAMERA_ID'),
    source: required(environment, 'SOURCE'),
    fps: numberBetween(environment, 'FPS', FPS_DEFAULT, 0.01, FPS_MAX),
    ffmpeg: environment.FFMPEG || 'ffmpeg',
    healthPort: numberBetween(environment, 'HEALTH_PORT', 0, 0, 65_535),
  };
}

function required(environment: Environment, name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

function url(environment: Environment, name: string): string {
  const value = required(environment, name);
  const parsed = URL.parse(value);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new Error(`${name} is no http(s) address`);
  return value;
}

function numberBetween(environment: Environment, name: string, otherwise: number, min: number, max: number): number {
  const text = environment[name] ?? '';
  if (text === '') return otherwise;
  const value = Number(text);
  if (!(value >= min && value <= max)) throw new Error(`${name}=${text} is not ${min} to ${max}`);
  return value;
}
