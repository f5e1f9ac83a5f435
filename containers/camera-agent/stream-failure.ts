/** What ffmpeg and the system say of a stream that fails. Their words alone go into the log. */
const REASONS = [
  'Address family not supported by protocol',
  'Broken pipe',
  'Cannot assign requested address',
  'Connection refused',
  'Connection reset by peer',
  'Connection timed out',
  'End of file',
  'Failed to resolve hostname',
  'Input/output error',
  'Invalid argument',
  'Invalid data found when processing input',
  'Is a directory',
  'Name or service not known',
  'Network is unreachable',
  'No route to host',
  'No such file or directory',
  'Operation not permitted',
  'Option not found',
  'Permission denied',
  'Protocol not found',
  'Temporary failure in name resolution',
  'Unknown error',
] as const;
const STATUS =
  /\b(?:[45][0-9]{2}) (?:Bad Request|Unauthorized|Forbidden|Not Found|[45]XX Client Error|5XX Server Error)/g;

/**
 * Why a stream ended, for the log: the reasons that are known to be harmless. ffmpeg repeats the address that it could not open, whole, in parts and
 * decoded, and no rule finds every password in it.
 */
export function streamFailure(complaint: string, exitCode: number | null): string {
  const said = [...REASONS.filter((reason) => complaint.includes(reason)), ...(complaint.match(STATUS) ?? [])];
  return [`ffmpeg ended with ${exitCode}`, ...new Set(said)].join('; ');
}
